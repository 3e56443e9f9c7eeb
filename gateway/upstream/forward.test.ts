import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createCustomer, type Customer, type Harness, openHarness } from '#gateway/test/world.ts';

let harness: Harness;
let customer: Customer;
beforeAll(async () => {
  harness = await openHarness();
  customer = await createCustomer(harness.database.pool, { daily: 100_000, monthly: 100_000 });
});
afterAll(() => harness.close());

const echoed = z.object({ method: z.string(), url: z.string(), headers: z.array(z.string()), bytes: z.number() });

/** The request that the product received, with header names in lower case. */
async function seenByProduct(headers: Record<string, string>) {
  const response = await harness.call(customer.key, { path: '/echo?a=%20b&a=c', headers });
  const seen = echoed.parse(response.json);
  const fields = new Map<string, string>();
  seen.headers.forEach((name, index) => {
    if (index % 2 === 0) fields.set(name.toLowerCase(), seen.headers[index + 1] ?? '');
  });
  return { ...seen, fields, response };
}

/** Sends raw bytes and returns everything received until the connection ends or nothing more has arrived for `restMs`. */
async function raw(bytes: string, restMs = 300): Promise<string> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.write(bytes, 'latin1');
  // Node drops a call in progress when its caller ends the connection, so the rest starts with the response.
  let timer = setTimeout(() => socket.end(), 60_000);
  socket.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.end(), restMs);
  });
  const response = await text(socket).catch(() => '');
  clearTimeout(timer);
  return response;
}

test('the product receives the activation and plan of a call, but never its key', async () => {
  const { fields, url, response } = await seenByProduct({ authorization: `Bearer ${customer.key}` });
  expect(url).toBe('/v1/echo?a=%20b&a=c');
  expect(JSON.stringify([...fields])).not.toContain(customer.key);
  expect(fields.has('authorization')).toBe(false);
  expect(fields.get('x-octroi-activation')).toBe(customer.activationId);
  expect(fields.get('x-octroi-plan')).toBe('growth');
  expect(fields.get('x-request-id')).toBe(response.headers['x-request-id']);
});

test('strips spoofed identity headers and hop-by-hop headers from requests', async () => {
  const { fields } = await seenByProduct({
    'x-octroi-activation': 'ACT-other',
    'x-octroi-plan': 'scale',
    'x-octroi-anything': '1',
    'x-request-id': 'mine',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'for=10.0.0.1',
    cookie: 'session=1',
    te: 'trailers',
    'proxy-authorization': 'Basic eA==',
    'x-kept': 'kept',
  });
  expect(fields.get('x-octroi-activation')).toBe(customer.activationId);
  expect(fields.get('x-octroi-plan')).toBe('growth');
  expect(fields.get('x-kept')).toBe('kept');
  const stripped = [
    'x-octroi-anything',
    'x-forwarded-for',
    'forwarded',
    'cookie',
    'te',
    'proxy-authorization',
    'x-api-key',
  ];
  expect(stripped.filter((name) => fields.has(name))).toEqual([]);
  expect(fields.get('x-request-id')).not.toBe('mine');
});

test('strips headers that Connection lists', async () => {
  const response = await raw(
    `GET /tax-lookup/v1/echo HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\nConnection: close, X-Secret-Hop\r\nX-Secret-Hop: 1\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200/);
  expect(response).not.toContain('X-Secret-Hop');
});

const get = (path: string, extra = ''): string =>
  `GET /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n${extra}\r\n`;
const expecting = (key: string): string =>
  `POST /tax-lookup/v1/echo HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Length: 4\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`;
const upgrade = (to: string): string => get('/ok', `Connection: Upgrade\r\nUpgrade: ${to}\r\n`);
const head = (extra: string): string =>
  `POST /tax-lookup/v1/echo HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n${extra}`;

test.each([
  [
    'Content-Length and Transfer-Encoding',
    () => head('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  ],
  ['two Content-Length headers', () => head('Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd')],
  ['a Content-Length that is not a number', () => head('Content-Length: +4\r\n\r\nabcd')],
  ['a Content-Length with a list', () => head('Content-Length: 4, 4\r\n\r\nabcd')],
  ['a folded header', () => head('X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n')],
  ['a space before the colon', () => head('Content-Length : 4\r\n\r\nabcd')],
  ['an unknown coding before chunked', () => head('Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n')],
  ['chunked not last', () => head('Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n')],
  ['a bare CR in a header', () => head('X-A: b\rc\r\nContent-Length: 0\r\n\r\n')],
  ['a NUL in a header', () => head('X-A: b\0c\r\nContent-Length: 0\r\n\r\n')],
  ['a chunk size with a sign', () => head('Transfer-Encoding: chunked\r\n\r\n+4\r\nabcd\r\n0\r\n\r\n')],
])('%s gets 400 and closes the connection, so that no request is smuggled', async (_what, bytes) => {
  expect(await refusedWhole(bytes())).toMatch(/^HTTP\/1\.1 400 /);
});

test('HTTP/0.9 gets 505 and closes the connection, so that no request is smuggled', async () => {
  expect(await refusedWhole('GET /tax-lookup/v1/echo\r\n\r\n')).toMatch(/^HTTP\/1\.1 505 /);
});

/** The only response: neither these bytes nor the request behind them reach the product. */
async function refusedWhole(bytes: string): Promise<string> {
  const before = harness.product.succeeded();
  const response = await raw(`${bytes}GET /tax-lookup/v1/ok HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n\r\n`);
  expect(response.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(harness.product.succeeded()).toBe(before);
  return response;
}

test('a request without a Host header gets 400 and the connection is closed', async () => {
  const response = await raw(`GET /tax-lookup/v1/echo HTTP/1.1\r\nX-API-Key: ${customer.key}\r\n\r\n`, 3000);
  expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close/);
});

test.each([
  '/tax-lookup/v1/../internal',
  '/tax-lookup/v1/%2e%2e/internal',
  '/tax-lookup/v1/a/..%2f../x',
  '/tax-lookup/v1/.',
  'http://other.example/tax-lookup/v1/../internal',
])('the path %s never leaves /v1', async (path) => {
  const response = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
});

test('pipelined requests get their own responses in order', async () => {
  const response = await raw(`${get('/ok')}${get('/status/404')}${get('/ok', 'Connection: close\r\n')}`, 60_000);
  expect(response.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('HEAD gets no body and the connection stays usable', async () => {
  const response = await harness.call(customer.key, { method: 'HEAD', path: '/big/5000' });
  expect(response).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5000' } });
  expect((await harness.call(customer.key)).status).toBe(200);
});

test('large bodies pass completely in both directions', async () => {
  const sent = await harness.call(customer.key, { method: 'POST', path: '/echo', body: Buffer.alloc(1_000_000, 'y') });
  expect(sent.json).toMatchObject({ bytes: 1_000_000 });
  const got = await harness.call(customer.key, { path: '/big/20000000' });
  expect(got.text).toHaveLength(20_000_000);
});

test('a slow caller causes backpressure instead of unbounded buffering', async () => {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.write(`GET /tax-lookup/v1/big/200000000 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n\r\n`);
  const before = process.memoryUsage().rss;
  await sleep(800);
  // The product itself holds its 200 MB in this process; the gateway must not hold them again.
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  socket.destroy();
});

test('sends 100 Continue for an admitted call, but not for a refused one', async () => {
  const admitted = await raw(`${expecting(customer.key)}abcd`, 60_000);
  expect(admitted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  expect(await raw(expecting('wrong'))).toMatch(/^HTTP\/1\.1 401/);
});

test('refuses WebSocket upgrades and ignores other upgrades', async () => {
  expect(await raw(upgrade('websocket'))).toMatch(/^HTTP\/1\.1 501[\s\S]*"code":"no-websocket"/);
  expect(await raw(upgrade('h2c'))).toMatch(/^HTTP\/1\.1 200/);
});

test('headers that never end time out with 408', async () => {
  const response = await raw('GET / HTTP/1.1\r\nHost: a\r\nX-A: ');
  expect(response).toMatch(/^HTTP\/1\.1 408/);
});

test('headers that are too large get 431', async () => {
  expect(await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431/);
});

test("a product's redirect points to the gateway and does not reveal the product's address", async () => {
  const response = await harness.call(customer.key, { path: '/redirect' });
  expect(response).toMatchObject({ status: 302, headers: { location: '/tax-lookup/v1/ok' } });
  expect(JSON.stringify(response.headers)).not.toContain(new URL(harness.product.url).host);
});
