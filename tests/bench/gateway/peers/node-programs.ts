import { runNodeProgram } from '#tests/bench/gateway/node-program.ts';
import type { Peer } from '#tests/bench/gateway/peer.ts';

export const bareResponse: Peer = {
  name: 'node:http, bare response',
  does: 'nothing, and forwards nothing',
  hasQuota: false,
  start: (place) => runNodeProgram('bare-response.mjs', place),
};

export const plainProxy: Peer = {
  name: 'node:http + undici, plain proxy',
  does: 'nothing',
  hasQuota: false,
  start: (place) => runNodeProgram('plain-proxy.mjs', place),
};

/** What Node could do if the gateway's undocumented optimisations were public (decisions 017 and 018). */
export const quickProxy: Peer = {
  name: 'the same with Octroi’s optimisations',
  does: 'nothing',
  hasQuota: false,
  start: (place) => runNodeProgram('plain-proxy.mjs', place, { SHORT_CUTS: 'yes' }),
};
