import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '#gateway/http/server.ts';

export interface Product {
  url: string;
  /** How many calls it has succeeded with 200. */
  succeeded: () => number;
  /** How many calls have reached it. */
  received: () => number;
  close: () => Promise<unknown>;
}

/** Does what the path says: /v1/ok, /v1/status/404, /v1/replayed/201, /v1/slow/100, /v1/remembers/100, /v1/computes/10, /v1/implicit/500, /v1/odd, /v1/broken, /v1/reset, /v1/echo, /v1/big/1000000. */
export function respondByPath(req: IncomingMessage, res: ServerResponse): void {
  told += 1;
  const [, , what = req.url === '/openapi.json' ? 'description' : 'ok', which = ''] = (req.url ?? '').split(/[/?]/);
  const act = behaviours[what] ?? behaviours['ok'];
  act?.(req, res, Number(which));
}

let told = 0;

/** How many calls have reached the products of this process. */
export function receivedCalls(): number {
  return told;
}

/** A real HTTP server whose path says what it does. */
export async function startProduct(): Promise<Product> {
  let succeeded = 0;
  let received = 0;
  const server = createServer((req, res) => {
    received += 1;
    res.on('finish', () => (succeeded += res.statusCode === 200 ? 1 : 0));
    respondByPath(req, res);
  });
  const url = await listen(server, 0, '127.0.0.1');
  const close = async (): Promise<unknown> => {
    server.closeAllConnections();
    return once(server.close(), 'close');
  };
  return { url, succeeded: () => succeeded, received: () => received, close };
}

type Behaviour = (req: IncomingMessage, res: ServerResponse, number: number) => void;

const json = (res: ServerResponse, status: number, body: object): void => {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};

/** The request id of each first answer. */
const remembered = new Map<string, string>();

const behaviours: Record<string, Behaviour> = {
  ok: (_req, res) => json(res, 200, { ok: true }),
  status: (_req, res, status) =>
    status === 304 || status === 204 ? res.writeHead(status).end() : json(res, status, {}),
  replayed: (_req, res, status) => {
    res.setHeader('Octroi-Replayed', 'true');
    json(res, status, {});
  },
  description: (_req, res) => json(res, 200, { openapi: '3.1.0' }),
  computes: (_req, res, ms) => {
    for (const until = performance.now() + ms; performance.now() < until;);
    json(res, 200, { ok: true });
  },
  /** Works for so long, then answers each Idempotency-Key of an activation with its first answer, as our own APIs do. */
  remembers: (req, res, ms) => {
    const { 'x-octroi-activation': activation, 'idempotency-key': key, 'x-request-id': requestId } = req.headers;
    const place = `${String(activation)} ${String(key)}`;
    const first = remembered.get(place);
    if (first === 'in work') return json(res, 409, {});
    if (first !== undefined) {
      res.setHeader('Octroi-Replayed', 'true');
      res.setHeader('Octroi-Replay-Of', first);
      return json(res, 201, { first });
    }
    remembered.set(place, 'in work');
    setTimeout(() => {
      remembered.set(place, String(requestId));
      json(res, 201, { first: String(requestId) });
    }, ms);
  },
  slow: (_req, res, ms) => void setTimeout(() => json(res, 200, { ok: true }), ms),
  throws: () => {
    throw new Error('a fault of the product');
  },
  /** Gives its head with its end. */
  implicit: (_req, res, status) => {
    res.statusCode = status;
    res.setHeader('X-Set', 'set');
    res.end(`body of ${status}`);
  },
  worded: (_req, res) => {
    res.statusMessage = 'Fine\r\nX-B: c';
    res.write('streamed, ');
    setTimeout(() => res.end('whole'), 20);
  },
  unwritable: (_req, res) => {
    const end: unknown = Reflect.get(res, 'end');
    if (typeof end === 'function') Reflect.apply(end, res, [42]);
  },
  late_fault: (_req, res) => {
    res.writeHead(200);
    throw new Error('a fault in the middle of an answer');
  },
  odd: (_req, res) => void res.writeHead(200, { 'X-A': 'a\r\nX-B: c' }).end('{}'),
  late: (_req, res, ms) =>
    void setTimeout(() => {
      res.setHeader('X-Late', '1');
      json(res, 200, { late: true });
    }, ms),
  pieces: (_req, res, pieces) => {
    res.statusCode = 201;
    res.setHeader('X-Set', ['one', 'two']);
    res.write('head,');
    for (let piece = 0; piece < pieces; piece += 1) setTimeout(() => res.write(`${piece},`), piece * 5);
    setTimeout(() => res.end('end'), pieces * 5 + 20);
  },
  /** Redirects to itself by the address that it was called under. */
  redirect: (req, res) => void res.writeHead(302, { Location: `http://${req.headers.host}/v1/ok` }).end(),
  reset: (req) => void req.socket.destroy(),
  broken: (_req, res) => {
    res.writeHead(200, { 'Content-Length': '1000000' });
    res.write('x'.repeat(200_000));
    setTimeout(() => res.destroy(), 50);
  },
  big: (_req, res, bytes) => void res.writeHead(200, { 'Content-Length': bytes }).end(Buffer.alloc(bytes, 'x')),
  echo: (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      json(res, 200, { method: req.method, url: req.url, headers: req.rawHeaders, bytes: body.length });
    });
  },
};
