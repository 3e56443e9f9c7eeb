import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';

/** A product that answers with these bytes, whatever is asked. */
let bytes = '';
const product = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write(bytes, 'latin1'));
});

let harness: Harness;
let gateway: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  const upstream = await listen(product, 0, '127.0.0.1');
  gateway = await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/odd` }, { upstream });
});
afterAll(async () => {
  await gateway.close();
  await harness.close();
  await once(product.close(), 'close');
});

/** A call as bytes, since what comes back may be no HTTP. */
async function rawCall(key: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(`GET /tax-lookup/v1/ok HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

const answerWith = (field: string): string => `HTTP/1.1 200 OK\r\n${field}\r\nContent-Length: 2\r\n\r\n{}`;

test.each([
  ['a control character in a value', 'X-A: a\x01b'],
  ['a zero byte in a value', 'X-A: a\x00b'],
  ['a carriage return in a value', 'X-A: a\rX-B: c'],
  ['a space in a name', 'X A: b'],
  ['no name', ': b'],
  ['two lengths', 'Content-Length: 5'],
  ['a length beside chunks', 'Transfer-Encoding: chunked'],
])('an answer with %s is refused whole, and takes nothing', async (_what, field) => {
  const customer = await createCustomer(harness.database.pool);
  bytes = answerWith(field);
  expect(await rawCall(customer.key)).toMatch(/^HTTP\/1\.1 502 /);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 0, free: 1 });
});

test.each([
  ['a value that goes on in the next line', 'X-A: a\r\n b'],
  ['a line end without a carriage return', 'X-A: a\nX-B: c'],
  ['the last sign of ASCII', 'X-A: a\x7fb'],
  ['signs beyond ASCII', 'X-A: \xe9\xff'],
])('of an answer with %s, nothing passes that is no field of its own', async (_what, field) => {
  const customer = await createCustomer(harness.database.pool);
  bytes = answerWith(field);
  const answer = await rawCall(customer.key);
  const [head = ''] = answer.split('\r\n\r\n', 1);
  for (const line of head.split('\r\n').slice(1)) expect(line).toMatch(/^[A-Za-z0-9-]+: [\t\x20-\x7e\x80-\xff]*$/);
});
