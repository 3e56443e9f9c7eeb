import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { openResponses } from '#gateway/test/product.ts';
import {
  type Customer,
  createCustomer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';
import { slowCallerMs } from './caller-wait.ts';

/** Responses that break off because of their own caller: what the caller has received stays counted. */

const partBytes = 200_000;
const env = { MAX_BODY_BYTES: '200000' };
let harness: Harness;
let inside: Gateway;
beforeAll(async () => {
  harness = await openHarness({ env });
  const dataDir = `${harness.setup.dataDir}/inside`;
  inside = await startTestGateway({ ...harness.setup, dataDir }, { env, upstream: 'file:gateway/test/inside.ts' });
});
afterAll(async () => {
  await inside.close();
  await harness.close();
});

const usage = (activationId: string) => usageOf(harness.database.pool, activationId);
const chunkOf = (bytes: number): string => `${bytes.toString(16)}\r\n${'b'.repeat(bytes)}\r\n`;

/** A caller on a connection of its own, that counts what it receives. */
class RawCaller {
  readonly socket: Socket;
  received = 0;
  pauseAt = Infinity;
  closed = false;

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.once('close', () => (this.closed = true));
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      if (this.received >= this.pauseAt) this.socket.pause();
    });
  }

  send(customer: Customer, path: string, framing: string, body = ''): void {
    const head = `GET /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n${framing}\r\n`;
    this.socket.write(head + body);
  }
}

/** Takes a part of a response while the rest of the request is still to come. */
async function takePart(url: string, customer: Customer, framing: string, body: string) {
  const before = openResponses.length;
  const caller = new RawCaller(url);
  caller.send(customer, `/opens/${partBytes}`, framing, body);
  await expect.poll(() => caller.received).toBeGreaterThan(partBytes);
  expect(openResponses).toHaveLength(before + 1);
  return { caller, breakOff: () => openResponses.pop()?.destroy() };
}

/** Waits until the API has been unable to write for longer than the gateway lets a caller hold it up. */
async function standsStill(): Promise<void> {
  let [left, sinceMs] = [-1, performance.now()];
  while (performance.now() - sinceMs < 1.5 * slowCallerMs) {
    const now = openResponses.at(-1)?.writableLength ?? 0;
    if (now !== left) [left, sinceMs] = [now, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each([
  ['a remote API', () => harness.gateway.url],
  ['an in-process API', () => inside.url],
])('with %s', (_what, url) => {
  test('a caller that sends too large a body after it has taken its response pays for it', async () => {
    const customer = await createCustomer(harness.database.pool, { daily: 2 });
    for (let round = 1; round <= 2; round += 1) {
      const { caller, breakOff } = await takePart(url(), customer, 'Transfer-Encoding: chunked\r\n', chunkOf(70_000));
      for (let chunks = 0; chunks < 5; chunks += 1) caller.socket.write(chunkOf(65_536));
      caller.socket.write('0\r\n\r\n');
      await expect.poll(() => openResponses.at(-1)?.destroyed).toBe(true);
      breakOff();
      await expect.poll(() => caller.closed).toBe(true);
    }
    expect((await harness.call(customer.key, { url: url() })).status).toBe(429);
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 2, free: 0 });
  });

  test.each([
    ['chunked', 'Transfer-Encoding: chunked\r\n', chunkOf(70_000)],
    ['with a length', 'Content-Length: 150000\r\n', 'b'.repeat(70_000)],
  ])(
    'a caller whose body (%s) never ends pays for the response that the API gives up',
    async (_kind, framing, body) => {
      const customer = await createCustomer(harness.database.pool, { daily: 1 });
      const { caller, breakOff } = await takePart(url(), customer, framing, body);
      breakOff();
      await expect.poll(() => caller.closed).toBe(true);
      expect((await harness.call(customer.key, { url: url() })).status).toBe(429);
      await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 1, free: 0 });
    },
  );

  test.each([
    ['reads on', (caller: RawCaller) => caller.socket.resume()],
    ['disconnects', (caller: RawCaller) => caller.socket.destroy()],
  ])('a caller that stands still until the API gives up, and then %s, pays', async (_what, goOn) => {
    const customer = await createCustomer(harness.database.pool, { daily: 1 });
    const caller = new RawCaller(url());
    caller.pauseAt = 10 * 1024 * 1024;
    caller.send(customer, `/opens/${60 * 1024 * 1024}`, '');
    await expect.poll(() => caller.received).toBeGreaterThanOrEqual(caller.pauseAt);
    await standsStill();
    openResponses.pop()?.destroy();
    caller.pauseAt = Infinity;
    goOn(caller);
    await expect.poll(() => caller.closed).toBe(true);
    expect((await harness.call(customer.key, { url: url() })).status).toBe(429);
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 1, free: 0 });
  });

  test('a response that breaks off after its request has arrived is free', async () => {
    const customer = await createCustomer(harness.database.pool, { daily: 1 });
    const { caller, breakOff } = await takePart(url(), customer, 'Content-Length: 70000\r\n', 'b'.repeat(70_000));
    breakOff();
    await expect.poll(() => caller.closed).toBe(true);
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 0, free: 1 });
  });
});
