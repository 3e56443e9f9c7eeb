import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A customer's receiver on this machine: it stores requests and responds as configured. */
export async function startReceiver() {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  let status = 200;
  let text = 'thank you';
  let holding = false;
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    const send = () => response.writeHead(status).end(text);
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      if (holding) held.push(send);
      else send();
      arrivals.emit('arrived');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: (nextStatus: number, nextText = '') => {
      status = nextStatus;
      text = nextText;
    },
    /** From now on a request waits for its response until it is released. */
    hold: () => {
      holding = true;
    },
    /** Responds to the request that has been held longest. */
    releaseOne: () => held.shift()?.(),
    /** Responds to all requests, held and future ones. */
    releaseAll: () => {
      holding = false;
      for (const send of held.splice(0)) send();
    },
    /** The first matching event, received already or next. */
    next: async (fits: (event: { type: string; id: string }) => boolean): Promise<Received> => {
      for (;;) {
        const found = received.find(({ headers, body }) => {
          const { type }: { type: string } = JSON.parse(body);
          return fits({ type, id: String(headers['webhook-id']) });
        });
        if (found) return found;
        await once(arrivals, 'arrived', { signal: AbortSignal.timeout(60_000) });
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The signatures of a delivery that this secret (whsec_…) made, verified as a customer would. */
export function verifiedSignatures({ headers, body }: Received, secret: string): boolean[] {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => signature === expected);
}
