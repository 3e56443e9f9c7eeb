import type { Server } from 'node:http';

const lookMs = 20;
/** Shorter than the stop deadline of a process. */
const longestDrainMs = 8000;

/**
 * Finishes the running requests of a server that is about to close. Each connection closes as soon as it is idle
 * (Node's own `close` checks that only once); after `longestMs` milliseconds all remaining connections are closed,
 * including those that never sent a request. Returns when the server has closed.
 */
export function drainConnections(
  server: Pick<Server, 'closeIdleConnections' | 'closeAllConnections' | 'once'>,
  longestMs: number = longestDrainMs,
): void {
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  const deadline = setTimeout(() => server.closeAllConnections(), longestMs);
  server.once('close', () => {
    clearInterval(looking);
    clearTimeout(deadline);
  });
}
