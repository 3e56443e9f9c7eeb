import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptGet, cacheFolder, run } from '../../ship/launch/install.mjs';

const runs = (program) => spawnSync(program, ['-v']).status === 0;

/** Debian's package, unpacked: installed, it would start as a service. */
async function unpacked() {
  const cache = cacheFolder('octroi-nginx');
  const folder = join(cache, 'usr', 'sbin');
  if (runs(join(folder, 'nginx'))) return folder;
  if (spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  mkdirSync(cache, { recursive: true });
  const download = () => aptGet('Downloading nginx', ['download', 'nginx'], cache);
  if (!(await download())) {
    if (process.getuid?.() !== 0 || !(await aptGet('Looking up Debian packages', ['update']))) return undefined;
    if (!(await download())) return undefined;
  }
  const file = readdirSync(cache).find((name) => /^nginx_.*\.deb$/.test(name)) ?? '';
  await run('Unpacking it', 'dpkg-deb', ['-x', file, cache], cache).catch(() => '');
  return runs(join(folder, 'nginx')) ? folder : undefined;
}

/** The PATH for tests of `ship/deploy/nginx`: with nginx, where it is installed or can be had. Elsewhere they are skipped. */
export async function pathWithNginx() {
  const path = process.env.PATH ?? '';
  for (const folder of ['', '/usr/sbin', '/usr/local/sbin'])
    if (runs(join(folder, 'nginx'))) return folder === '' ? path : `${path}${delimiter}${folder}`;
  const folder = await unpacked();
  if (folder !== undefined) return `${path}${delimiter}${folder}`;
  console.log('nginx was not found: the tests behind it are skipped (Debian: apt-get install nginx-light).');
  return path;
}
