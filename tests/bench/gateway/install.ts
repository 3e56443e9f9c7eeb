import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const debianPackages = {
  '/usr/bin/wrk': 'wrk',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/lib/nginx/modules/ngx_http_lua_module.so': 'libnginx-mod-http-lua',
  '/usr/share/lua/5.1/nginx/redis.lua': 'lua-nginx-redis',
  '/usr/bin/redis-server': 'redis-server',
};

/** Installs what is missing from Debian when running as root. Throws with a list of what to install by hand otherwise. */
export function installPeers(): void {
  const missing = Object.entries(debianPackages).filter(([file]) => !existsSync(file));
  const names = missing.map(([, name]) => name);
  if (names.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`Install as root: apt-get install ${names.join(' ')}`);
  // None of it may start as a service of the machine.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', ...names],
  ]) {
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed`);
  }
}
