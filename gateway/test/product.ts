import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '#gateway/http/server.ts';
import type { UpstreamRequest } from '#gateway/upstream/forwarding.ts';
import type { InsideResponse } from '#gateway/upstream/inside.ts';

export interface Product {
  url: string;
  /** The number of calls that got 200. */
  succeeded: () => number;
  /** The number of calls that reached it. */
  received: () => number;
  close: () => Promise<unknown>;
}

type Behaviour = (request: UpstreamRequest, number: number) => InsideResponse | Promise<InsideResponse>;

/** Behaves as the path says: /v1/ok, /v1/status/404, /v1/replayed/201, /v1/problem/422, /v1/slow/100, /v1/remembers/100, /v1/computes/10, /v1/plain/500, /v1/broken, /v1/opens/1000, /v1/reset, /v1/echo, /v1/big/1000000. */
export const respondByPath = (request: UpstreamRequest): InsideResponse | Promise<InsideResponse> => {
  receivedInProcess += 1;
  const { path } = request;
  const [, , name = path === '/openapi.json' ? 'description' : 'ok', argument = ''] = path.split(/[/?]/);
  return (behaviours[name] ?? ok)(request, Number(argument));
};

let receivedInProcess = 0;

/** The number of calls that reached products inside this process. */
export function receivedCalls(): number {
  return receivedInProcess;
}

/** The responses of /v1/opens that products inside this process have begun; a test ends them or breaks them off. */
export const openResponses: PassThrough[] = [];

/** Starts a product as a real HTTP server, which closes the connection of a call on which it fails. */
export async function startProduct(): Promise<Product> {
  let succeeded = 0;
  let received = 0;
  const server = createServer((req, res) => {
    received += 1;
    res.on('finish', () => (succeeded += res.statusCode === 200 ? 1 : 0));
    const respond = async (): Promise<void> => {
      const { method = '', url = '', rawHeaders } = req;
      const { status, headers, body } = await respondByPath({ method, path: url, headers: rawHeaders, body: req });
      res.writeHead(status, [...headers]);
      if (body instanceof Readable) pipeline(body, res, () => {});
      else res.end(body);
    };
    respond().catch(() => req.socket.destroy());
  });
  const url = await listen(server, 0, '127.0.0.1');
  const close = async (): Promise<unknown> => {
    server.closeAllConnections();
    return once(server.close(), 'close');
  };
  return { url, succeeded: () => succeeded, received: () => received, close };
}

const json = (status: number, body: object, ...headers: string[]): InsideResponse => ({
  status,
  headers: ['Content-Type', 'application/json', ...headers],
  body: JSON.stringify(body),
});

/** The value of a header, by its name in lower case. */
function headerOf({ headers }: UpstreamRequest, name: string): string {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  return at === -1 ? '' : (headers[at + 1] ?? '');
}

/** The request id of the first response per activation and Idempotency-Key. */
const firstResponses = new Map<string, string>();

/** Names its own address, which customers must not see. */
export const testDescription = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: 'http://10.0.0.5:8080' }],
  paths: { '/v1/ok': { get: { responses: {} } } },
};

const ok: Behaviour = () => json(200, { ok: true });

const behaviours: Record<string, Behaviour> = {
  status: (_request, status) =>
    status === 304 || status === 204 ? { status, headers: [], body: '' } : json(status, {}),
  replayed: (_request, status) => json(status, {}, 'Octroi-Replayed', 'true'),
  /** Names a problem in its response, like our own APIs; the last digit of the status chooses a malformed one. */
  problem: (_request, status) =>
    json(status, {}, 'Octroi-Problem', status % 10 === 9 ? 'two words' : 'request-invalid;in=query;field=on'),
  description: () => json(200, testDescription),
  computes: (_request, ms) => {
    for (const until = performance.now() + ms; performance.now() < until;);
    return json(200, { ok: true });
  },
  /** After `ms`, replays the first response to each Idempotency-Key of an activation, like our own APIs. */
  remembers: async (request, ms) => {
    const idempotencyId = `${headerOf(request, 'x-octroi-activation')} ${headerOf(request, 'idempotency-key')}`;
    const first = firstResponses.get(idempotencyId);
    if (first === 'in progress') return json(409, {});
    if (first !== undefined) return json(201, { first }, 'Octroi-Replayed', 'true', 'Octroi-Replay-Of', first);
    firstResponses.set(idempotencyId, 'in progress');
    await sleep(ms);
    const requestId = headerOf(request, 'x-request-id');
    firstResponses.set(idempotencyId, requestId);
    return json(201, { first: requestId });
  },
  slow: async (_request, ms) => {
    await sleep(ms);
    return json(200, { ok: true });
  },
  /** Fails; a real server then closes its connection. */
  reset: () => {
    throw new Error('a bug in the product');
  },
  plain: (_request, status) => ({ status, headers: ['X-Set', 'set'], body: `body of ${status}` }),
  late: async (_request, ms) => {
    await sleep(ms);
    return json(200, { late: true }, 'X-Late', '1');
  },
  pieces: (_request, pieces) => {
    const body = new PassThrough();
    body.write('head,');
    for (let piece = 0; piece < pieces; piece += 1) setTimeout(() => body.write(`${piece},`), piece * 5);
    setTimeout(() => body.end('end'), pieces * 5 + 20);
    return { status: 201, headers: ['X-Set', 'one', 'X-Set', 'two'], body };
  },
  /** Redirects to its own address from the Host header. */
  redirect: (request) => ({
    status: 302,
    headers: ['Location', `http://${headerOf(request, 'host')}/v1/ok`],
    body: '',
  }),
  broken: () => {
    const body = new PassThrough();
    body.write('x'.repeat(200_000));
    setTimeout(() => body.destroy(), 50);
    return { status: 200, headers: ['Content-Length', '1000000'], body };
  },
  /** Sends a part of its response, and leaves the rest to the test. */
  opens: ({ body: received }, bytes) => {
    if (received instanceof Readable) received.resume();
    const body = new PassThrough();
    const part = 'x'.repeat(Math.min(bytes, partBytes));
    for (let left = bytes; left > 0; left -= partBytes) body.write(part.slice(0, left));
    openResponses.push(body);
    return { status: 200, headers: ['Content-Type', 'text/plain'], body };
  },
  big: (_request, bytes) => ({
    status: 200,
    headers: ['Content-Length', String(bytes)],
    body: Buffer.alloc(bytes, 'x'),
  }),
  echo: async ({ method, path, headers, body }) => {
    const received = body instanceof Readable ? await buffer(body) : body;
    return json(200, { method, url: path, headers, bytes: received?.length ?? 0 });
  },
};

const partBytes = 64 * 1024;
