import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A program on this machine that receives webhooks. */
export async function startReceiver() {
  const received: Delivery[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end('received');
      arrivals.emit('arrived');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close: () => void server.close(),
    /** The delivery with that number, from 0. */
    nth: async (index: number): Promise<Delivery> => {
      for (;;) {
        const found = received[index];
        if (found) return found;
        await once(arrivals, 'arrived', { signal: AbortSignal.timeout(60_000) });
      }
    },
  };
}
