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
  const when = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(arrivals, 'arrived', { signal: AbortSignal.timeout(60_000) });
    }
  };
  const idOf = ({ headers }: Delivery) => headers['webhook-id'];
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close: () => void server.close(),
    /** The delivery with that number, from 0, of those that match. */
    nth: (index: number, matches: (delivery: Delivery) => boolean = () => true): Promise<Delivery> =>
      when(() => received.filter(matches)[index]),
    /** A delivery that came before. */
    repeated: (): Promise<Delivery> =>
      when(() => received.find((one, index) => received.slice(0, index).some((other) => idOf(other) === idOf(one)))),
  };
}
