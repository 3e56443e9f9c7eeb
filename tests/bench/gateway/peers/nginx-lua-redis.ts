import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitsInLua, luaModules, startNginx } from '#tests/bench/gateway/nginx.ts';
import { type Peer, type Place, runPrograms, unlimited } from '#tests/bench/gateway/peer.ts';
import { gatewayCore, type Program, startProgram } from '#tests/bench/gateway/processes.ts';

/** Redis with Debian's defaults (snapshots, no append-only file), over a local socket. */
async function startRedis(folder: string): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const socket = `${folder}/redis.sock`;
  const program = startProgram(gatewayCore, '/usr/bin/redis-server', [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--unixsocketperm',
    '777',
    '--dir',
    folder,
    '--save',
    '3600',
    '1',
    '300',
    '100',
    '60',
    '10000',
    '--logfile',
    `${folder}/redis.log`,
  ]);
  while (!existsSync(socket)) await sleep(20);
  return program;
}

/** One round trip per call: three counters, none of them raised by a rejected call. */
const decide = `
  local second = redis.call('INCR', KEYS[1])
  if second == 1 then redis.call('EXPIRE', KEYS[1], 2) end
  if second > tonumber(ARGV[1]) then return 1 end
  local day = redis.call('INCR', KEYS[2])
  if day == 1 then redis.call('EXPIRE', KEYS[2], 90000) end
  if day > tonumber(ARGV[2]) then redis.call('DECR', KEYS[2]) return 1 end
  local month = redis.call('INCR', KEYS[3])
  if month == 1 then redis.call('EXPIRE', KEYS[3], 2700000) end
  if month > tonumber(ARGV[3]) then redis.call('DECR', KEYS[2]) redis.call('DECR', KEYS[3]) return 1 end
  return 0`;

const parts = (place: Place) => ({
  modules: luaModules,
  http: `
  init_by_lua_block {
    limits = ${limitsInLua(place, unlimited)}
    redis = require "nginx.redis"
    decide = [[${decide}]]
  }`,
  location: `
      access_by_lua_block {
        local key = ngx.var.http_x_api_key
        local limit = key and limits[key]
        if not limit then return ngx.exit(401) end
        local client, now = redis:new(), ngx.time()
        if not client:connect("unix:${place.folder}/redis/redis.sock") then return ngx.exit(503) end
        sha = sha or client:script("load", decide)
        local refused, fault = client:evalsha(sha, 3, key .. ":s:" .. now, key .. ":d:" .. math.floor((now + 19800) / 86400), key .. ":m", 100000, limit, ${unlimited})
        if fault then sha = nil return ngx.exit(503) end
        client:set_keepalive(10000, 256)
        if refused == 1 then return ngx.exit(429) end
      }`,
});

export const nginxLuaRedis: Peer = {
  name: 'nginx + Lua + Redis',
  does: 'key, rps, day, month',
  hasQuota: true,
  start: (place) =>
    runPrograms(async () => {
      const redis = await startRedis(`${place.folder}/redis`);
      chmodSync(place.folder, 0o711);
      const nginx = await startNginx(place, parts(place));
      return {
        pids: () => [nginx.pid, redis.pid],
        end: async (signal) => {
          await nginx.end(signal);
          await redis.end(signal);
        },
      };
    }),
};
