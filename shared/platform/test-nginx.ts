import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.ts';

export interface NginxFiles {
  folder: string;
  /** The shipped configuration, with the addresses and ports of the test; written as `name`. */
  shipped: { name: string; text: string };
  /** Directives, each with its semicolon, for the top of the file and for its http block. */
  main: string;
  http?: string;
}

/** Writes what nginx needs to run from a folder of its own, without root; returns the arguments that start it in the foreground. */
export function writeNginxFiles({ folder, shipped, main, http = '' }: NginxFiles): string[] {
  mkdirSync(folder, { recursive: true });
  copyFileSync(projectFolder('ship', 'deploy', 'nginx', 'octroi-key.conf'), join(folder, 'octroi-key.conf'));
  writeFileSync(join(folder, shipped.name), shipped.text);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; ${main} pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
events { worker_connections 1024; }
http { access_log off; ${temporary} ${http} include ${join(folder, shipped.name)}; }`,
  );
  return ['-p', folder, '-c', file];
}
