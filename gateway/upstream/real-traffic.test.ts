import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { listen, requestTimeoutMs } from '#gateway/http/server.ts';
import { createCustomer, type Customer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';

/** What APIs of other providers send and take: streams, files, ranges, compressed bodies. */

const mega = 1024 * 1024;
const file = randomBytes(100_000);
const etag = '"v1"';
const compressed = gzipSync('{"name":"compressed"}');
/** Bytes that the API has written of a download, and read of an upload. */
let written = 0;
let taken = 0;
let hasUploadArrived = false;
let letUploadGo: () => void = () => {};
let sendNextEvent: () => void = () => {};

const paths: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  '/v1/events': (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let sent = 0;
    sendNextEvent = () => {
      if (sent === 5) res.end();
      else res.write(`id: ${sent}\ndata: {"n":${sent}}\n\n`);
      sent += 1;
    };
    sendNextEvent();
  },
  '/v1/download': (_req, res) => {
    written = 0;
    res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': 200 * mega });
    const chunk = Buffer.alloc(mega / 4, 'x');
    const more = (): void => {
      while (written < 200 * mega) {
        written += chunk.length;
        if (!res.write(chunk)) return void res.once('drain', more);
      }
      res.end();
    };
    more();
  },
  '/v1/upload': (req, res) => {
    taken = 0;
    const hash = createHash('sha256');
    letUploadGo = () => {
      req.on('data', (chunk: Buffer) => {
        taken += chunk.length;
        hash.update(chunk);
      });
      req.on('end', () => res.end(hash.digest('hex')));
      req.resume();
    };
    req.pause();
    hasUploadArrived = true;
  },
  '/v1/file': (req, res) => {
    const headers = { ETag: etag, 'Accept-Ranges': 'bytes', 'Last-Modified': 'Mon, 23 Nov 2026 00:00:00 GMT' };
    if (req.headers['if-none-match'] === etag) return void res.writeHead(304, headers).end();
    const range = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '');
    const isSame = req.headers['if-range'] === undefined || req.headers['if-range'] === etag;
    if (range === null || !isSame)
      return void res.writeHead(200, { ...headers, 'Content-Length': file.length }).end(file);
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (from >= file.length) return void res.writeHead(416, { 'Content-Range': `bytes */${file.length}` }).end();
    const part = file.subarray(from, to + 1);
    const told = { 'Content-Range': `bytes ${from}-${to}/${file.length}`, 'Content-Length': part.length };
    return void res.writeHead(206, { ...headers, ...told }).end(part);
  },
  '/v1/compressed': (_req, res) =>
    void res
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'Content-Length': compressed.length,
        Vary: 'Accept-Encoding',
      })
      .end(compressed),
  '/v1/echo': (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.writeHead(200, { 'X-Encoding': req.headers['content-encoding'] ?? 'none' });
      res.end(Buffer.concat(chunks));
    });
  },
};

let harness: Harness;
let api: Server;
let gateway: Gateway;
let customer: Customer;
const agent = new Agent();
beforeAll(async () => {
  harness = await openHarness();
  api = createServer((req, res) => paths[(req.url ?? '').split('?')[0] ?? '']?.(req, res));
  const upstream = await listen(api, 0, '127.0.0.1');
  const dataDir = `${harness.setup.dataDir}/traffic`;
  gateway = await startTestGateway(
    { ...harness.setup, dataDir },
    { upstream, env: { MAX_BODY_BYTES: String(300 * mega), UPSTREAM_TIMEOUT_MS: '20000' } },
  );
  customer = await createCustomer(harness.database.pool);
});
afterAll(async () => {
  await agent.close();
  await gateway.close();
  api.closeAllConnections();
  api.close();
  await harness.close();
});

const address = (path: string) => `${gateway.url}/tax-lookup/v1${path}`;
const call = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  request(address(path), { method, headers: { 'x-api-key': customer.key, ...headers }, dispatcher: agent });

test('server-sent events arrive one by one, while the API still sends', async () => {
  const { headers, body } = await call('/events', { accept: 'text/event-stream' });
  expect(headers['content-type']).toBe('text/event-stream');
  let events = '';
  body.on('data', (chunk: Buffer) => (events += chunk.toString()));
  for (let sent = 1; sent <= 5; sent += 1) {
    await expect.poll(() => events.match(/data: /g)?.length, { interval: 5 }).toBe(sent);
    sendNextEvent();
  }
  await once(body, 'end');
  expect(events.match(/data: /g)).toHaveLength(5);
});

test('a download waits for a slow reader instead of filling the memory, and arrives whole', async () => {
  const { body } = await call('/download');
  const reader = body[Symbol.asyncIterator]();
  await reader.next();
  await sleep(1000);
  // Buffers of sockets on both sides, and of the gateway between them.
  expect(written).toBeLessThan(40 * mega);
  const before = process.memoryUsage().rss;
  let bytes = 0;
  let highest = 0;
  for await (const chunk of { [Symbol.asyncIterator]: () => reader }) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  expect(bytes).toBeGreaterThan(199 * mega);
  expect(highest - before).toBeLessThan(150 * mega);
});

test('an upload waits for a slow API instead of filling the memory, and arrives whole', async () => {
  const chunk = randomBytes(mega / 4);
  const total = 400;
  let sent = 0;
  const source = Readable.from(
    (function* chunks() {
      for (; sent < total; sent += 1) yield chunk;
    })(),
    { highWaterMark: 1 },
  );
  const hash = createHash('sha256');
  for (let index = 0; index < total; index += 1) hash.update(chunk);
  const response = request(address('/upload'), {
    method: 'POST',
    headers: { 'x-api-key': customer.key, 'content-length': String(total * chunk.length) },
    body: source,
    dispatcher: agent,
  });
  await expect.poll(() => hasUploadArrived).toBe(true);
  await sleep(1000);
  expect(sent * chunk.length).toBeLessThan(40 * mega);
  letUploadGo();
  const { statusCode, body } = await response;
  expect([statusCode, await body.text(), taken]).toEqual([200, hash.digest('hex'), total * chunk.length]);
});

test('the time for sending a request grows with the largest body that an API takes', () => {
  const [small, large] = [requestTimeoutMs(mega), requestTimeoutMs(1024 * mega)];
  expect(small).toBeGreaterThan(30_000);
  // A gigabyte at a megabit per second.
  expect(large).toBeGreaterThan((1024 * mega * 8) / 1000);
});

test('ranges and conditions reach the API, and its 206, 304 and 416 reach the caller', async () => {
  const part = await call('/file', { range: 'bytes=10-19' });
  expect(part.statusCode).toBe(206);
  expect(part.headers).toMatchObject({ 'content-range': 'bytes 10-19/100000', etag, 'content-length': '10' });
  expect(Buffer.from(await part.body.arrayBuffer())).toEqual(file.subarray(10, 20));
  const same = await call('/file', { range: 'bytes=10-19', 'if-range': etag });
  expect([same.statusCode, (await same.body.arrayBuffer()).byteLength]).toEqual([206, 10]);
  const changed = await call('/file', { range: 'bytes=10-19', 'if-range': '"v0"' });
  expect([changed.statusCode, (await changed.body.arrayBuffer()).byteLength]).toEqual([200, file.length]);
  const known = await call('/file', { 'if-none-match': etag });
  expect([known.statusCode, known.headers['etag'], await known.body.text()]).toEqual([304, etag, '']);
  const beyond = await call('/file', { range: 'bytes=200000-200001' });
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */100000']);
  await beyond.body.dump();
});

test('compressed bodies pass unchanged in both directions', async () => {
  const { headers, body } = await call('/compressed', { 'accept-encoding': 'gzip' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(compressed.length) });
  expect(headers['vary']).toContain('Accept-Encoding');
  const received = Buffer.from(await body.arrayBuffer());
  expect(received).toEqual(compressed);
  expect(gunzipSync(received).toString()).toContain('compressed');
  const echoed = await request(address('/echo'), {
    method: 'POST',
    headers: { 'x-api-key': customer.key, 'content-encoding': 'gzip' },
    body: compressed,
    dispatcher: agent,
  });
  expect(echoed.headers['x-encoding']).toBe('gzip');
  expect(Buffer.from(await echoed.body.arrayBuffer())).toEqual(compressed);
});

test('HEAD gets the headers of a GET without its body', async () => {
  const { statusCode, headers, body } = await call('/file', {}, 'HEAD');
  expect([statusCode, headers['content-length'], headers['etag']]).toEqual([200, '100000', etag]);
  expect(await body.text()).toBe('');
});

/** Announces a body and sends it only after 100 Continue, like curl; returns the status and whether it was asked to go on. */
async function expectContinue(key: string): Promise<{ status: number | undefined; continued: boolean; body: string }> {
  let continued = false;
  const req = httpRequest(address('/echo'), {
    method: 'POST',
    headers: { 'x-api-key': key, expect: '100-continue', 'content-length': 5 },
  });
  req.on('continue', () => {
    continued = true;
    req.end('hello');
  });
  req.flushHeaders();
  const [response]: [IncomingMessage] = await new Promise((resolve, reject) => {
    req.on('response', (arrived) => resolve([arrived])).on('error', reject);
  });
  const body = await text(response);
  req.destroy();
  return { status: response.statusCode, continued, body };
}

test('100 Continue is sent once the call is admitted, and a refused caller need not send its body', async () => {
  expect(await expectContinue(customer.key)).toEqual({ status: 200, continued: true, body: 'hello' });
  expect(await expectContinue('nonsense')).toMatchObject({ status: 401, continued: false });
});

test('a WebSocket upgrade is refused with a problem that says so', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const head = `GET /tax-lookup/v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n`;
  socket.write(`${head}Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 501 /);
  expect(answer).toContain('"code":"no-websocket"');
  expect(answer).toContain('WebSocket is not supported');
});
