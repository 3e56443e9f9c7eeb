import { runNginx } from '#bench/gateway/nginx.ts';
import type { Peer } from '#bench/gateway/peer.ts';

export const nginxPlain: Peer = {
  name: 'nginx, plain proxy',
  does: 'nothing',
  hasQuota: false,
  start: (place) => runNginx(place, {}),
};
