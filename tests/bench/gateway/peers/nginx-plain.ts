import { runNginx } from '#tests/bench/gateway/nginx.ts';
import type { Peer } from '#tests/bench/gateway/peer.ts';

export const nginxPlain: Peer = {
  name: 'nginx, plain proxy',
  does: 'nothing',
  hasQuota: false,
  start: (place) => runNginx(place, {}),
};
