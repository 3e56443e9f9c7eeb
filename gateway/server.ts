import type { Server, ServerOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Node's strict parser with bounds on everything that a slow or greedy client could stretch. */
export const serverOptions: ServerOptions = {
  insecureHTTPParser: false,
  requireHostHeader: true,
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  noDelay: true,
};

const backlog = 4096;
const drainMs = 8000;

/** Listens and returns the address; port 0 takes a free one. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the server has no port'));
      const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return resolve(`http://${shown}:${address.port}`);
    });
  });
}

/** Takes no new connections, lets running calls end, and cuts off those that take too long. */
export async function closeServer(server: Server): Promise<void> {
  let open = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      open = false;
      resolve();
    });
  });
  const stillOpen = (): boolean => open;
  const deadline = performance.now() + drainMs;
  while (stillOpen() && performance.now() < deadline) {
    server.closeIdleConnections();
    await sleep(20);
  }
  server.closeAllConnections();
  await closed;
}
