import { createServer, type Server, type ServerOptions } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { UnreadRequest } from '#gateway/node/unread-request.ts';
import { beginClose, type Closing, isArriving } from '#shared/platform/close-server.ts';
import { isFollowed } from '#shared/platform/pipelining.ts';
import { handleClientErrors } from './client-errors.ts';
import type { RequestQueue } from './request-queue.ts';
import { keepAliveMs, WholeResponse } from './whole-response.ts';

/** Node's strict parser, with limits on everything that a slow or abusive client could stretch. */
const serverOptions: ServerOptions = {
  insecureHTTPParser: false,
  // `checkHead` checks it instead, so that the response carries a request id.
  requireHostHeader: false,
  headersTimeout: 5000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
};

const backlog = 4096;

/** Slower callers don't finish an upload: 64 KB a second. */
const slowestBytesPerMs = 64;

/** How long a caller may take to send a request: 30 seconds, and what the largest body takes on a slow line. */
export function requestTimeoutMs(maxBodyBytes: number): number {
  return 30_000 + Math.ceil(maxBodyBytes / slowestBytesPerMs);
}

interface GatewayServerSettings {
  /** Of any API. */
  maxBodyBytes: number;
  /** Limit on the request line and headers together. */
  maxHeadBytes: number;
  /** Whether responses end their connections, except while the caller still sends or waits for further ones. */
  isStopping: () => boolean;
}

/** `requestQueue` begins requests with `checkHead`. */
export function createGatewayServer(
  requestQueue: RequestQueue,
  { maxBodyBytes, maxHeadBytes, isStopping }: GatewayServerSettings,
): Server {
  // Typed as object: Node's types would make the response class a part of the server's own type.
  const options: object = {
    ...serverOptions,
    requestTimeout: requestTimeoutMs(maxBodyBytes),
    maxHeaderSize: maxHeadBytes,
    // Node 24.12 and later.
    optimizeEmptyRequests: true,
    IncomingMessage: UnreadRequest,
    ServerResponse: class extends WholeResponse {
      protected override isLast(): boolean {
        return isStopping() && !isFollowed(this) && !isArriving(this.req);
      }
    },
  };
  const server = createServer(options, requestQueue.handle);
  // With this listener Node leaves 100 Continue to us; we send it only once the call is admitted.
  server.on('checkContinue', requestQueue.handle);
  server.on('connection', requestQueue.onConnection);
  // Beyond a thousand headers Node would drop the rest without a word. Their bytes are limited anyway.
  server.maxHeadersCount = 0;
  handleClientErrors(server, requestQueue.handle, maxHeadBytes);
  return server;
}

/** Listens and resolves with the server's URL. Port 0 picks a free port. */
export function listen(server: NetServer, port: number, host: string): Promise<string> {
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

/** Stops accepting connections, lets running calls finish, and destroys the connections of those that take too long. */
export async function closeServer(server: Server, closing?: Closing): Promise<void> {
  await beginClose(server, closing);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
