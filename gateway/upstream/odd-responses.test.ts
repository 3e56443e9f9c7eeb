import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';

/** A product that sends these bytes in response to every request, or to the second of each connection `late`. */
let bytes = '';
let late: string | undefined;
/** It sends them again and again. */
let repeats = false;
const product = createServer((socket) => {
  socket.on('error', () => {});
  let requests = 0;
  let repeating: NodeJS.Timeout | undefined;
  socket.on('close', () => clearInterval(repeating));
  socket.on('data', () => {
    requests += 1;
    const write = () => socket.write(requests > 1 && late !== undefined ? late : bytes, 'latin1');
    write();
    if (repeats) repeating = setInterval(write, 50);
  });
});

let harness: Harness;
let gateway: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  const upstream = await listen(product, 0, '127.0.0.1');
  gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/odd` },
    { upstream, env: { UPSTREAM_TIMEOUT_MS: '1000' } },
  );
});
afterAll(async () => {
  await gateway.close();
  await harness.close();
  await once(product.close(), 'close');
});

/** Calls over a raw socket, because the response may not be valid HTTP. */
async function rawCall(key: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(`GET /tax-lookup/v1/ok HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

const responseWith = (header: string): string => `HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: 2\r\n\r\n{}`;

test.each([
  ['a control character in a value', 'X-A: a\x01b'],
  ['a zero byte in a value', 'X-A: a\x00b'],
  ['a carriage return in a value', 'X-A: a\rX-B: c'],
  ['a space in a name', 'X A: b'],
  ['an empty header name', ': b'],
  ['two Content-Length headers', 'Content-Length: 5'],
  ['Content-Length and Transfer-Encoding', 'Transfer-Encoding: chunked'],
])('a response with %s becomes a 502 and is not counted', async (_what, header) => {
  const customer = await createCustomer(harness.database.pool);
  bytes = responseWith(header);
  expect(await rawCall(customer.key)).toMatch(/^HTTP\/1\.1 502 /);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 0, free: 1 });
});

test.each([
  ['a folded value', 'X-A: a\r\n b'],
  ['a line feed without a carriage return', 'X-A: a\nX-B: c'],
  ['a DEL character', 'X-A: a\x7fb'],
  ['bytes beyond ASCII', 'X-A: \xe9\xff'],
])('a response with %s cannot inject headers', async (_what, header) => {
  const customer = await createCustomer(harness.database.pool);
  bytes = responseWith(header);
  const response = await rawCall(customer.key);
  const [head = ''] = response.split('\r\n\r\n', 1);
  for (const line of head.split('\r\n').slice(1)) expect(line).toMatch(/^[A-Za-z0-9-]+: [\t\x20-\x7e\x80-\xff]*$/);
});

test.each([204, 304])(
  'what an API sends after a %i that named a length never reaches the next caller',
  async (status) => {
    const [customer, other] = [
      await createCustomer(harness.database.pool),
      await createCustomer(harness.database.pool),
    ];
    // The connection of the test before ends.
    bytes = responseWith('Connection: close');
    await rawCall(customer.key);
    bytes = `HTTP/1.1 ${status} Without\r\nContent-Length: 48\r\n\r\n`;
    late = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nPOISONED';
    for (const { key } of [customer, other, customer, other])
      expect(await rawCall(key)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    late = undefined;
    await expect
      .poll(() => usageOf(harness.database.pool, customer.activationId), { timeout: 60_000 })
      .toEqual({ counted: 3, free: 0 });
  },
);

test.each(['100 Continue', '102 Processing', '103 Early Hints'])(
  'an API that sends %s again and again is waited for as long as for one that sends nothing',
  async (interim) => {
    const customer = await createCustomer(harness.database.pool);
    bytes = `HTTP/1.1 ${interim}\r\n\r\n`;
    repeats = true;
    expect(await rawCall(customer.key)).toMatch(/^HTTP\/1\.1 50[24] /);
    repeats = false;
    await expect
      .poll(() => usageOf(harness.database.pool, customer.activationId), { timeout: 60_000 })
      .toEqual({ counted: 0, free: 1 });
  },
);
