import { limitsInLua, luaModules, runNginx } from '#tests/bench/gateway/nginx.ts';
import { type Peer, unlimited } from '#tests/bench/gateway/peer.ts';

export const nginxLua: Peer = {
  name: 'nginx + Lua, shared dict',
  does: 'key, rps, day, month',
  hasQuota: true,
  start: (place) =>
    runNginx(place, {
      modules: luaModules,
      http: `
  lua_shared_dict counts 64m;
  init_by_lua_block { limits = ${limitsInLua(place, unlimited)} }`,
      location: `
      access_by_lua_block {
        local key = ngx.var.http_x_api_key
        local limit = key and limits[key]
        if not limit then return ngx.exit(401) end
        local counts, now = ngx.shared.counts, ngx.time()
        if counts:incr(key .. ":s:" .. now, 1, 0, 2) > 100000 then return ngx.exit(429) end
        local today = key .. ":d:" .. math.floor((now + 19800) / 86400)
        if counts:incr(today, 1, 0, 90000) > limit then
          counts:incr(today, -1)
          return ngx.exit(429)
        end
        if counts:incr(key .. ":m", 1, 0, 2700000) > ${unlimited} then return ngx.exit(429) end
      }`,
    }),
};
