import type { Server } from 'node:http';

const lookMs = 20;

/**
 * Lets the running calls of a server end that takes no new connections: each connection is closed as soon as nothing is under way on it,
 * which Node's own `close` does only once, and all that are left after `longestMs` milliseconds, those included on which nothing was ever
 * sent. Answers what ends the watching.
 */
export function drainConnections(
  server: Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
  longestMs: number,
): () => void {
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  const deadline = setTimeout(() => server.closeAllConnections(), longestMs);
  return () => {
    clearInterval(looking);
    clearTimeout(deadline);
  };
}
