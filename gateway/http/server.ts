import { createServer, type Server, type ServerOptions } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { drainConnections } from '#platform/drain-connections.ts';
import { answerClientErrors, requireHost } from './client-errors.ts';
import { HeldResponse } from './held-response.ts';
import type { Intake } from './intake.ts';
import { ReceivedRequest } from './received-request.ts';
import { maxHeadBytes } from './refusals.ts';
import { keepAliveMs, WholeResponse } from './whole-response.ts';

/** Node's strict parser with bounds on everything that a slow or greedy client could stretch. */
const serverOptions: ServerOptions = {
  insecureHTTPParser: false,
  // Asked for by `requireHost`, whose answer carries a request id.
  requireHostHeader: false,
  maxHeaderSize: maxHeadBytes,
  headersTimeout: 5000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
};

const backlog = 4096;

/** `held`: answers are made so that products in this process can be held back until their calls are counted. */
export function createGatewayServer(intake: Intake, held: boolean): Server {
  // Node's types tie the class of the answers to the server's own type, which nothing here needs to know.
  const options: object = {
    ...serverOptions,
    // Node 24.12 and later; a product in this process may wait for the end of a request without a body, which Node then doesn't tell.
    optimizeEmptyRequests: !held,
    IncomingMessage: ReceivedRequest,
    ServerResponse: held ? HeldResponse : WholeResponse,
  };
  const guarded = requireHost(intake.take);
  const server = createServer(options, guarded);
  // 100 Continue is sent when the call is admitted, not before.
  server.on('checkContinue', guarded);
  server.on('connection', intake.connected);
  answerClientErrors(server);
  return server;
}

/** Listens and returns the address; port 0 takes a free one. */
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

/** Takes no new connections, lets running calls end, and cuts off those that take too long. */
export async function closeServer(server: Server): Promise<void> {
  drainConnections(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
