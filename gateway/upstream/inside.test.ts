import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addKey, createCustomer, type Harness, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';
import { mountProduct } from './inside.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({
    upstream: 'file:gateway/test/inside.ts',
    env: { UPSTREAM_TIMEOUT_MS: '5000', MAX_BODY_BYTES: '2000000' },
  });
});
afterAll(() => harness.close());

const newCustomer = () => createCustomer(harness.database.pool, { daily: 100 });
const counted = (activationId: string) => usageOf(harness.database.pool, activationId);

test('an in-process product receives the same request as any other: without the key, with the activation', async () => {
  const customer = await newCustomer();
  const response = await harness.call(customer.key, {
    method: 'POST',
    path: '/echo?a=%20b',
    body: 'x'.repeat(1000),
    headers: { cookie: 'a=b', 'x-octroi-plan': 'mine', 'x-kept': 'kept' },
  });
  const seen = JSON.stringify(response.json);
  expect(response.json).toMatchObject({ method: 'POST', url: '/v1/echo?a=%20b', bytes: 1000 });
  expect(seen).toContain(customer.activationId);
  expect(seen).toContain('"x-kept","kept"');
  for (const hidden of [customer.key, 'a=b', '"mine"']) expect(seen).not.toContain(hidden);
  expect(response.headers).toMatchObject({ 'x-ratelimit-remaining': '99', 'content-type': 'application/json' });
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 0 });
});

test.concurrent.for([
  ['/status/404', 404, 1],
  ['/status/204', 204, 1],
  ['/status/500', 500, 0],
  ['/reset', 502, 0],
  ['/odd', 502, 0],
  ['/odd_name', 502, 0],
  ['/odd_head', 502, 0],
  ['/odd_list', 502, 0],
  ['/odd_stream', 502, 0],
  ['/unwritable', 502, 0],
  ['/unwritable_part', 502, 0],
  ['/nothing', 502, 0],
  ['/late_fault', 502, 0],
  ['/too_long', 502, 0],
  ['/too_short', 502, 0],
  ['/two_lengths', 502, 0],
  ['/plain/200', 200, 1],
  ['/plain/500', 500, 0],
  ['/plain/100', 502, 0],
  ['/plain/1000', 502, 0],
  ['/slow/60000', 504, 0],
  ['/late/9000', 504, 0],
  ['/late_stream', 504, 0],
] as const)('the response of %s arrives as %i and counts %i', async ([path, status, count], { expect }) => {
  const customer = await newCustomer();
  const response = await harness.call(customer.key, { path });
  expect(response.status).toBe(status);
  expect(response.text).not.toContain('late":true');
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: count, free: 1 - count });
  expect((await harness.call(customer.key)).status).toBe(200);
});

test('a response in pieces, with a header twice, passes in order', async () => {
  const customer = await newCustomer();
  const response = await harness.call(customer.key, { path: '/pieces/5' });
  expect(response).toMatchObject({ status: 201, text: 'head,0,1,2,3,4,end', headers: { 'x-set': ['one', 'two'] } });
  const big = await harness.call(customer.key, { path: '/big/5000000' });
  expect(big.text).toHaveLength(5_000_000);
  const head = await harness.call(customer.key, { method: 'HEAD', path: '/big/5000' });
  expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5000' } });
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 3, free: 0 });
});

test('a truncated response is cut off for the caller too, and its unit is given back', async () => {
  const customer = await newCustomer();
  await expect(harness.call(customer.key, { path: '/broken' })).rejects.toThrow(
    /other side closed|terminated|aborted|closed/,
  );
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 0, free: 1 });
});

test('a stream that sends nothing more is cut off after the timeout, and a product hears that its call was given up', async () => {
  const customer = await newCustomer();
  const idle = harness.call(customer.key, { path: '/idle' });
  const never = harness.call(customer.key, { path: '/never' });
  await expect(idle).rejects.toThrow(/other side closed|terminated|aborted|closed/);
  expect((await never).status).toBe(504);
  expect((await harness.call(customer.key, { path: '/aborted' })).text).toBe('1');
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 2 });
});

test('what a stream has beyond its declared length never reaches the connection', async () => {
  const customer = await newCustomer();
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  const closed = once(socket, 'close');
  socket.write(`GET /tax-lookup/v1/surplus HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n\r\n`);
  await expect.poll(() => got, { timeout: 60_000 }).toMatch(/Content-Length: 5\r\n[^]*\r\n\r\n12345$/);
  expect((await harness.call(customer.key, { path: '/send_surplus' })).status).toBe(200);
  await closed;
  expect(got).toMatch(/\r\n\r\n12345$/);
});

test('a response passes completely, in one piece or several, counted or not, for test keys too', async () => {
  const customer = await newCustomer();
  const testKey = await addKey(harness.database.pool, customer.activationId, { test: true });
  for (const key of [customer.key, testKey.key]) {
    for (const status of [200, 500]) {
      const response = await harness.call(key, { path: `/plain/${status}` });
      expect(response).toMatchObject({ status, text: `body of ${status}`, headers: { 'x-set': 'set' } });
    }
    const inPieces = await harness.call(key, { path: '/pieces/1' });
    expect(inPieces).toMatchObject({ status: 201, text: 'head,0,end' });
  }
});

test('a caller that expects 100 Continue gets it, and its connection stays in sync when the response comes before the rest of the body', async () => {
  const customer = await newCustomer();
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  const head = (method: string, path: string, more: string): string =>
    `${method} /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n${more}\r\n`;
  socket.setEncoding('latin1');
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  socket.write(head('POST', '/ok', 'Content-Length: 70400\r\nExpect: 100-continue\r\n'));
  await expect.poll(() => got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  socket.write('x'.repeat(70_000));
  await expect.poll(() => got).toMatch(/HTTP\/1\.1 200 /);
  socket.write('x'.repeat(400));
  socket.write(head('GET', '/plain/404', 'Connection: close\r\n'));
  await expect.poll(() => got).toMatch(/HTTP\/1\.1 404 [^]*body of 404$/);
  socket.destroy();
});

test('a chunked body over the limit gets 413', async () => {
  const customer = await newCustomer();
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  socket.write(
    `POST /tax-lookup/v1/echo HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (let sent = 0; sent < 40; sent += 1) socket.write(piece);
  socket.on('error', () => {});
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413/);
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 0, free: 1 });
});

test('its OpenAPI document needs no key, and a module without mount() is rejected with a clear error', async () => {
  const reference = await fetch(`${harness.gateway.url}/tax-lookup/openapi.json`);
  expect(await reference.json()).toMatchObject({ info: { title: 'Test' } });
  await expect(mountProduct('file:gateway/calls/routes.ts')).rejects.toThrow(/exports no function "mount"/);
});

test('our tax lookup product runs in the gateway process', async () => {
  const customer = await newCustomer();
  const place = { ...harness.setup, dataDir: `${harness.setup.dataDir}/own` };
  const gateway = await startTestGateway(place, { upstream: 'file:products/tax-lookup/inside.ts' });
  try {
    const found = await harness.call(customer.key, { url: gateway.url, path: '/gstin/27AAPFU0939F1ZV' });
    expect(found).toMatchObject({ status: 200 });
    const wrong = await harness.call(customer.key, { url: gateway.url, path: '/nowhere' });
    expect(wrong).toMatchObject({ status: 404 });
    const reference = await fetch(`${gateway.url}/tax-lookup/openapi.json`);
    expect(await reference.json()).toMatchObject({ info: { title: 'GST Tax Lookup API' } });
    await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 2, free: 0 });
  } finally {
    await gateway.close();
  }
});
