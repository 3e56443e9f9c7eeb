import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as oneTurn, setTimeout as sleep } from 'node:timers/promises';

const lookMs = 20;
/** Shorter than the stop deadline of a process. */
const longestDrainMs = 8000;
/** Against callers who connect without end. */
const longestAcceptMs = 1000;
/** Node accepts one connection per turn of the event loop, so in these turns none was waiting. */
const emptyTurns = 2;

/**
 * How long the idle connections of a server behind a proxy stay open: the proxy may be sending on one of them. Every response of the
 * stopping process ends its connection and every new connection is refused. Longer than the proxy keeps an idle connection (the
 * `keepalive_timeout` of ship/deploy/nginx), so that it is the proxy that closes, with room for a machine that is busy.
 */
export const proxyNoticesMs = 4000;

export interface Closing {
  /** How long idle connections stay open. */
  keepIdleMs?: number;
  /** After this time all connections are closed, including those that never sent a request. */
  longestMs?: number;
}

/**
 * Closes the listening socket without breaking what is on its way, and lets running requests finish; each connection then closes as soon
 * as it is idle (Node's own `close` checks that only once). Returns when only Node's `close` is left to call, which waits for the rest.
 * Until then the caller must end connections with their responses (`Connection: close`).
 */
export async function beginClose(
  server: Server,
  { keepIdleMs = 0, longestMs = longestDrainMs }: Closing = {},
): Promise<void> {
  await acceptWaiting(server);
  const closed = once(server, 'close');
  // The kernel resets connections that wait to be accepted, so nothing may happen between the last look and this. Node's HTTP server
  // would close idle connections too.
  NetServer.prototype.close.call(server);
  const idleUntilMs = performance.now() + keepIdleMs;
  const looking = setInterval(() => performance.now() >= idleUntilMs && server.closeIdleConnections(), lookMs);
  const deadline = setTimeout(() => server.closeAllConnections(), longestMs);
  server.once('close', () => {
    clearInterval(looking);
    clearTimeout(deadline);
  });
  await Promise.race([closed, sleep(keepIdleMs, undefined, { ref: false })]);
}

/** The part of a Fastify app that is needed; Fastify's own type has a parameter for each of its options. */
interface ClosingApp {
  server: Server;
  addHook: ((name: 'preClose', hook: () => Promise<void>) => unknown) &
    ((name: 'onSend', hook: (request: { raw: IncomingMessage }, reply: ClosingReply) => Promise<void>) => unknown);
}
interface ClosingReply {
  header: (name: string, value: string) => unknown;
}

/** Whether the body of a request is still on its way: a response that ended the connection now might never be read. */
export function isArriving({ complete, headers }: Pick<IncomingMessage, 'complete' | 'headers'>): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

/**
 * Closes the server of a Fastify app with `beginClose`. From then on each response ends its connection, also that of a request that began
 * before, which Fastify would let a proxy keep for its next request.
 */
export function closeWithApp(app: ClosingApp, closing?: Closing): void {
  let stopping = false;
  app.addHook('onSend', async (request, reply) => {
    if (stopping && !isArriving(request.raw)) reply.header('connection', 'close');
  });
  app.addHook('preClose', () => {
    stopping = true;
    return beginClose(app.server, closing);
  });
}

/** Accepts the connections that wait for it in the kernel: a caller that has sent a request on one could not know whether it was read. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = false;
  const onConnection = (): void => void (accepted = true);
  server.on('connection', onConnection);
  const until = performance.now() + longestAcceptMs;
  for (let empty = 0; empty < emptyTurns && performance.now() < until; empty = accepted ? 0 : empty + 1) {
    accepted = false;
    await oneTurn();
  }
  server.off('connection', onConnection);
}
