import { mkdirSync, writeFileSync } from 'node:fs';
import { type Peer, type Place, runPrograms, unlimited } from '#tests/bench/gateway/peer.ts';
import { gatewayCore, startProgram, untilItResponds } from '#tests/bench/gateway/processes.ts';

/** HAProxy's longest window is 24 days. */
const config = ({ folder, port, productPort }: Place): string => `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
backend second
  stick-table type string len 64 size 1m expire 10s store http_req_rate(1s)
backend day
  stick-table type string len 64 size 1m expire 24h store http_req_rate(24h)
backend month
  stick-table type string len 64 size 1m expire 24d store http_req_rate(24d)
frontend gateway
  bind 127.0.0.1:${port}
  http-request set-var(txn.limit) req.hdr(x-api-key),map_str_int(${folder}/keys.map,0)
  http-request deny deny_status 401 if { var(txn.limit) -m int 0 }
  http-request track-sc0 req.hdr(x-api-key) table second
  http-request track-sc1 req.hdr(x-api-key) table day
  http-request track-sc2 req.hdr(x-api-key) table month
  http-request deny deny_status 429 if { sc_http_req_rate(0,second) gt 100000 }
  http-request deny deny_status 429 if { sc_http_req_rate(1,day),sub(txn.limit) gt 0 }
  http-request deny deny_status 429 if { sc_http_req_rate(2,month) gt ${unlimited} }
  default_backend product
backend product
  server product 127.0.0.1:${productPort} pool-max-conn 256
`;

export const haproxy: Peer = {
  name: 'HAProxy, three stick tables',
  does: 'key, rps, day, 24 days',
  hasQuota: true,
  start: (place) =>
    runPrograms(async () => {
      const { folder, port, openKeys, limitedKeys, quota } = place;
      mkdirSync(folder, { recursive: true });
      const lines = [...openKeys.map((key) => `${key} ${unlimited}`), ...limitedKeys.map((key) => `${key} ${quota}`)];
      writeFileSync(`${folder}/keys.map`, `${lines.join('\n')}\n`);
      writeFileSync(`${folder}/haproxy.cfg`, config(place));
      const program = startProgram(gatewayCore, '/usr/sbin/haproxy', ['-q', '-db', '-f', `${folder}/haproxy.cfg`]);
      await untilItResponds(`http://127.0.0.1:${port}/`);
      return { pids: () => [program.pid], end: program.end };
    }),
};
