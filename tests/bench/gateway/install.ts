import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** The packages of the other gateways, apart from the product's own packages. */
const debianPackages = {
  '/usr/bin/wrk': 'wrk',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/lib/nginx/modules/ngx_http_lua_module.so': 'libnginx-mod-http-lua',
  '/usr/share/lua/5.1/nginx/redis.lua': 'lua-nginx-redis',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/redis-server': 'redis-server',
};
const npmPackages = {
  '@fastify/http-proxy': '11.6.3',
  '@fastify/rate-limit': '11.2.0',
  'express-gateway': '1.16.11',
  fastify: '5.12.8',
};

export const benchFolder = projectFolder('build', 'bench');

/**
 * Installs what is missing, from Debian when running as root, and from npm into build/bench. Throws with a list of what
 * to install by hand.
 */
export function installPeers(): void {
  const missing = Object.entries(debianPackages).filter(([file]) => !existsSync(file));
  const names = missing.map(([, name]) => name);
  if (names.length > 0 && process.getuid?.() !== 0)
    throw new Error(`Install as root: apt-get install ${names.join(' ')}`);
  if (names.length > 0) {
    // None of it may start as a service of the machine.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    run('apt-get', ['update', '-q'], { env });
    run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], { env });
  }
  mkdirSync(benchFolder, { recursive: true });
  const wanted = `${JSON.stringify({ private: true, dependencies: npmPackages }, undefined, 2)}\n`;
  const file = join(benchFolder, 'package.json');
  if (existsSync(join(benchFolder, 'node_modules')) && readFileSync(file, 'utf8') === wanted) return;
  writeFileSync(file, wanted);
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: benchFolder });
}

function run(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}
