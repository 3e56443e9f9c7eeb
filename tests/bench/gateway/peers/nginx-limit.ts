import { runNginx } from '#tests/bench/gateway/nginx.ts';
import type { Peer } from '#tests/bench/gateway/peer.ts';

export const nginxLimit: Peer = {
  name: 'nginx, key map + limit_req',
  does: 'key, calls per second',
  hasQuota: false,
  start: (place) =>
    runNginx(place, {
      http: `
  map $http_x_api_key $customer { default ""; ${[...place.openKeys, ...place.limitedKeys].map((key) => `"${key}" ${key};`).join(' ')} }
  limit_req_zone $customer zone=rate:64m rate=100000r/s;`,
      location: `
      if ($customer = "") { return 401; }
      limit_req zone=rate burst=100000 nodelay;
      limit_req_status 429;`,
    }),
};
