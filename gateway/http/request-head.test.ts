import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer, type Harness, openHarness } from '#gateway/test/world.ts';

let harness: Harness;
let customer: Customer;
beforeAll(async () => {
  harness = await openHarness();
  customer = await createCustomer(harness.database.pool, { daily: 100_000, monthly: 100_000 });
});
afterAll(() => harness.close());

/** Sends raw bytes and returns everything received until the gateway closes the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.write(bytes, 'latin1');
  return text(socket).catch(() => '');
}

const request = (line: string, fields: string): string =>
  `${line} HTTP/1.1\r\nX-API-Key: ${customer.key}\r\nConnection: close\r\n${fields}\r\n`;

test.each([
  ['two Host headers', 'Host: a\r\nHost: b\r\n'],
  ['two equal Host headers', 'Host: a\r\nhost: a\r\n'],
  ['two Authorization headers', 'Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
])('refuses %s with 400 before the product sees the call', async (_what, fields) => {
  const before = harness.product.received();
  const response = await raw(request('GET /tax-lookup/v1/echo', fields));
  expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"header-repeated"/);
  expect(harness.product.received()).toBe(before);
});

test.each(['gzip, chunked', 'chunked, chunked', 'deflate,chunked'])(
  'refuses Transfer-Encoding: %s, because it could forward it only as plain chunked',
  async (coding) => {
    const before = harness.product.received();
    const response = await raw(
      `${request('POST /tax-lookup/v1/echo', `Host: a\r\nTransfer-Encoding: ${coding}\r\n`)}4\r\nabcd\r\n0\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 (?:400|501) /);
    expect(harness.product.received()).toBe(before);
  },
);

test('a plain chunked body still reaches the product', async () => {
  const response = await raw(
    `${request('POST /tax-lookup/v1/echo', 'Host: a\r\nTransfer-Encoding: Chunked\r\n')}4\r\nabcd\r\n0\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*"bytes":4/);
});

test.each(['TRACE', 'PROPFIND', 'PURGE', 'SOURCE'])('refuses the method %s with 501', async (method) => {
  const before = harness.product.received();
  const response = await raw(request(`${method} /tax-lookup/v1/echo`, 'Host: a\r\n'));
  expect(response).toMatch(/^HTTP\/1\.1 501 [\s\S]*"code":"method-unsupported"/);
  expect(harness.product.received()).toBe(before);
});

test('CONNECT opens no tunnel', async () => {
  const before = harness.product.received();
  expect(await raw(request('CONNECT /tax-lookup/v1/echo', 'Host: a\r\n'))).not.toMatch(/^HTTP\/1\.1 2/);
  expect(harness.product.received()).toBe(before);
});

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('forwards the method %s', async (method) => {
  const response = await raw(request(`${method} /tax-lookup/v1/echo`, 'Host: a\r\n'));
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response).toContain(`"method":"${method}"`);
});
