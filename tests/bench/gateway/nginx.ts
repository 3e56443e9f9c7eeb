import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, Running } from './peer.ts';
import { runPrograms } from './peer.ts';
import { gatewayCore, type Program, startProgram, untilItResponds } from './processes.ts';

export interface NginxParts {
  modules?: readonly string[];
  /** Inside `http`. */
  http?: string;
  /** Inside `location`, before the call is forwarded. */
  location?: string;
}

export const luaModules = ['ndk_http_module', 'ngx_http_lua_module'];

/** nginx with one worker, keep-alive on both sides and no access log: its fastest configuration. */
export async function startNginx(place: Place, parts: NginxParts, core = gatewayCore): Promise<Program> {
  const { folder, port, productPort } = place;
  mkdirSync(folder, { recursive: true });
  const config = `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
${(parts.modules ?? []).map((name) => `load_module /usr/lib/nginx/modules/${name}.so;`).join('\n')}
events { worker_connections 4096; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 100000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${folder}/${what};`).join(' ')}
  map_hash_bucket_size 256;
  map_hash_max_size 65536;
  upstream product { server 127.0.0.1:${productPort}; keepalive 256; keepalive_requests 100000000; }
  ${parts.http ?? ''}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      ${parts.location ?? ''}
      proxy_pass http://product;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const program = startProgram(core, '/usr/sbin/nginx', ['-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`]);
  await untilItResponds(`http://127.0.0.1:${port}/`);
  return program;
}

/** The API behind every gateway: an nginx that responds at once. */
export function startUpstream(folder: string, port: number, core: number): Promise<Program> {
  const place = { folder, port, productPort: port, openKeys: [], limitedKeys: [], quota: 0 };
  return startNginx(place, { location: `return 200 '{"ok":true}';` }, core);
}

export function runNginx(place: Place, parts: NginxParts): Promise<Running> {
  return runPrograms(async () => {
    const program = await startNginx(place, parts);
    return { pids: () => [program.pid], end: program.end };
  });
}

/** A Lua table of the daily limit of every key. */
export function limitsInLua({ openKeys, limitedKeys, quota }: Place, openLimit: number): string {
  const entries = [...openKeys.map((key) => [key, openLimit]), ...limitedKeys.map((key) => [key, quota])];
  return `{ ${entries.map(([key, limit]) => `["${key}"] = ${limit}`).join(', ')} }`;
}
