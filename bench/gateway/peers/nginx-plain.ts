import { runNginx } from '../nginx.ts';
import type { Peer } from '../peer.ts';

export const nginxPlain: Peer = {
  name: 'nginx, plain proxy',
  does: 'nothing',
  hasQuota: false,
  start: (place) => runNginx(place, {}),
};
