import type { Server } from 'node:http';

const lookMs = 20;
/** Less than a process that is told to stop has for all it must do. */
const longestDrainMs = 8000;

/**
 * Lets the running calls of a server end that is about to close: each connection is closed as soon as nothing is under way on it, which
 * Node's own `close` does only once, and all that are left after `longestMs` milliseconds, those included on which nothing was ever sent.
 * Ends with the server.
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
