import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '#gateway/http/server.ts';

export interface Product {
  url: string;
  /** The number of calls that got 200. */
  succeeded: () => number;
  /** The number of calls that reached it. */
  received: () => number;
  close: () => Promise<unknown>;
}

/** Behaves as the path says: /v1/ok, /v1/status/404, /v1/replayed/201, /v1/problem/422, /v1/slow/100, /v1/remembers/100, /v1/computes/10, /v1/implicit/500, /v1/odd, /v1/broken, /v1/opens/1000, /v1/reset, /v1/echo, /v1/big/1000000. */
export function respondByPath(req: IncomingMessage, res: ServerResponse): void {
  receivedInProcess += 1;
  const [, , name = req.url === '/openapi.json' ? 'description' : 'ok', argument = ''] = (req.url ?? '').split(/[/?]/);
  const behaviour = behaviours[name] ?? behaviours['ok'];
  behaviour?.(req, res, Number(argument));
}

let receivedInProcess = 0;

/** The number of calls that reached products inside this process. */
export function receivedCalls(): number {
  return receivedInProcess;
}

/** The responses of /v1/opens that products inside this process have begun; a test ends them or breaks them off. */
export const openResponses: ServerResponse[] = [];

/** Starts a product as a real HTTP server. */
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

/** The request id of the first response per activation and Idempotency-Key. */
const firstResponses = new Map<string, string>();

/** Names its own address, which customers must not see. */
export const testDescription = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: 'http://10.0.0.5:8080' }],
  paths: { '/v1/ok': { get: { responses: {} } } },
};

const behaviours: Record<string, Behaviour> = {
  ok: (_req, res) => json(res, 200, { ok: true }),
  status: (_req, res, status) =>
    status === 304 || status === 204 ? res.writeHead(status).end() : json(res, status, {}),
  replayed: (_req, res, status) => {
    res.setHeader('Octroi-Replayed', 'true');
    json(res, status, {});
  },
  /** Names a problem in its response, like our own APIs; the last digit of the status chooses a malformed one. */
  problem: (_req, res, status) => {
    res.setHeader('Octroi-Problem', status % 10 === 9 ? 'two words' : 'request-invalid;in=query;field=on');
    json(res, status, {});
  },
  description: (_req, res) => json(res, 200, testDescription),
  computes: (_req, res, ms) => {
    for (const until = performance.now() + ms; performance.now() < until;);
    json(res, 200, { ok: true });
  },
  /** After `ms`, replays the first response to each Idempotency-Key of an activation, like our own APIs. */
  remembers: (req, res, ms) => {
    const { 'x-octroi-activation': activation, 'idempotency-key': key, 'x-request-id': requestId } = req.headers;
    const idempotencyId = `${String(activation)} ${String(key)}`;
    const first = firstResponses.get(idempotencyId);
    if (first === 'in progress') return json(res, 409, {});
    if (first !== undefined) {
      res.setHeader('Octroi-Replayed', 'true');
      res.setHeader('Octroi-Replay-Of', first);
      return json(res, 201, { first });
    }
    firstResponses.set(idempotencyId, 'in progress');
    setTimeout(() => {
      firstResponses.set(idempotencyId, String(requestId));
      json(res, 201, { first: String(requestId) });
    }, ms);
  },
  slow: (_req, res, ms) => void setTimeout(() => json(res, 200, { ok: true }), ms),
  throws: () => {
    throw new Error('a bug in the product');
  },
  /** Sends its headers implicitly, with `end`. */
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
    throw new Error('a bug in the middle of a response');
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
  /** Redirects to its own address from the Host header. */
  redirect: (req, res) => void res.writeHead(302, { Location: `http://${req.headers.host}/v1/ok` }).end(),
  reset: (req) => void req.socket.destroy(),
  broken: (_req, res) => {
    res.writeHead(200, { 'Content-Length': '1000000' });
    res.write('x'.repeat(200_000));
    setTimeout(() => res.destroy(), 50);
  },
  /** Sends a part of its response, and leaves the rest to the test. */
  opens: (req, res, bytes) => {
    req.resume();
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    res.write('x'.repeat(bytes));
    openResponses.push(res);
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
