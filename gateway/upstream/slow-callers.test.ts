import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { openResponses, receivedCalls } from '#gateway/test/product.ts';
import {
  addKey,
  type Customer,
  createCustomer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';

/** Callers that stand still: they hold no slot of an API that others need, and pay for what they were sent. */

const env = { UPSTREAM_CONNECTIONS: '8', UPSTREAM_QUEUE_TIMEOUT_MS: '5000' };
let harness: Harness;
let inside: Gateway;
let impatient: Gateway;
let impatientInside: Gateway;
beforeAll(async () => {
  harness = await openHarness({ env });
  const place = (name: string) => ({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${name}` });
  inside = await startTestGateway(place('inside'), { env, upstream: 'file:gateway/test/inside.ts' });
  const hurried = { ...env, CALLER_TIMEOUT_MS: '300' };
  impatient = await startTestGateway(place('impatient'), { env: hurried });
  impatientInside = await startTestGateway(place('impatient-inside'), {
    env: hurried,
    upstream: 'file:gateway/test/inside.ts',
  });
});
const sockets: Socket[] = [];
/** Ends all calls, also those that start when others have ended. */
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  const { key } = await customer();
  for (const { url } of [harness.gateway, inside, impatient, impatientInside]) {
    do {
      for (const response of openResponses.splice(0)) response.end();
      await Promise.all(Array.from({ length: 7 }, () => harness.call(key, { url })));
    } while (openResponses.length > 0);
  }
});
afterAll(async () => {
  await inside.close();
  await impatient.close();
  await impatientInside.close();
  await harness.close();
});

const customer = () => createCustomer(harness.database.pool, { daily: 100 });
const usage = ({ activationId }: Customer) => usageOf(harness.database.pool, activationId);

interface Caller {
  received: string;
  closed: boolean;
  socket: Socket;
}

function open(url: string, bytes: string, isReading = true): Caller {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  const caller: Caller = { received: '', closed: false, socket };
  socket.on('error', () => {});
  socket.once('close', () => (caller.closed = true));
  if (isReading) socket.on('data', (chunk: Buffer) => (caller.received += chunk.toString('latin1', 0, 2000)));
  else socket.pause();
  socket.write(bytes);
  return caller;
}

const request = (key: string, method: string, path: string, more = ''): string =>
  `${method} /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${more}\r\n`;

/** Two customers, each with as many calls as one may have at the API of eight slots. */
async function openBy(count: number, play: (key: string) => Caller): Promise<{ callers: Caller[]; by: Customer[] }> {
  const by = [await customer(), await customer()];
  const callers = by.flatMap(({ key }) => Array.from({ length: count }, () => play(key)));
  return { callers, by };
}

describe.each([
  ['a remote API', () => harness.gateway.url],
  ['an in-process API', () => inside.url],
])('with %s', (_what, url) => {
  const callOf = async ({ key }: Customer) => (await harness.call(key, { url: url() })).status;

  test('calls whose body has not arrived take no slot and don’t reach the API', async () => {
    const victim = await customer();
    expect(await callOf(victim)).toBe(200);
    const { by } = await openBy(7, (key) => open(url(), `${request(key, 'POST', '/ok', 'Content-Length: 2\r\n')}{`));
    for (let calls = 0; calls < 5; calls += 1) expect(await callOf(victim)).toBe(200);
    for (const socket of sockets) socket.destroy();
    for (const each of by) {
      expect(await callOf(each)).toBe(200);
      await expect.poll(() => usage(each)).toEqual({ counted: 1, free: 0 });
    }
  });

  test('uploads that stand still lose their slots while others queue, with 408 and uncounted', async () => {
    const victim = await customer();
    const { callers, by } = await openBy(7, (key) =>
      open(url(), request(key, 'POST', '/echo', 'Content-Length: 100000\r\n') + 'x'.repeat(70_000)),
    );
    expect(await callOf(victim)).toBe(200);
    await expect.poll(() => callers.some(({ received }) => received.startsWith('HTTP/1.1 408 '))).toBe(true);
    for (const socket of sockets) socket.destroy();
    for (const each of by) await expect.poll(() => usage(each)).toMatchObject({ counted: 0 });
  });

  test('pipelined calls free their slots when the API has responded, not when the caller has read that', async () => {
    const victim = await customer();
    await openBy(1, (key) => open(url(), request(key, 'GET', '/opens/10') + request(key, 'GET', '/ok').repeat(6)));
    await expect.poll(() => openResponses.length).toBe(2);
    expect(await callOf(victim)).toBe(200);
    expect(openResponses).toHaveLength(2);
  });

  test('all keys of a customer, test keys too, share what one customer may use of an API', async () => {
    const [busy, victim] = [await customer(), await customer()];
    const testKey = await addKey(harness.database.pool, busy.activationId, { test: true });
    for (const key of [busy.key, testKey.key])
      for (let calls = 0; calls < 7; calls += 1) open(url(), request(key, 'GET', '/opens/10'));
    await expect.poll(() => openResponses.length).toBe(7);
    expect(await callOf(victim)).toBe(200);
    expect(openResponses).toHaveLength(7);
  });

  test('readers that stand still lose their slots while others queue, and pay', async () => {
    const victim = await customer();
    const before = receivedCalls();
    // More than the system's buffers hold.
    const { by } = await openBy(7, (key) => open(url(), request(key, 'GET', '/big/20000000'), false));
    await expect.poll(() => receivedCalls() - before).toBeGreaterThanOrEqual(8);
    expect(await callOf(victim)).toBe(200);
    for (const socket of sockets) socket.destroy();
    const counted = async () => (await usage(by[0] ?? victim)).counted + (await usage(by[1] ?? victim)).counted;
    await expect.poll(counted).toBeGreaterThanOrEqual(8);
  });
});

test('a caller that takes nothing of its response for CALLER_TIMEOUT_MS loses its connection and pays', async () => {
  const slow = await customer();
  const caller = open(impatient.url, request(slow.key, 'GET', '/opens/60000000'), false);
  await expect.poll(() => openResponses.at(0)?.destroyed).toBe(true);
  caller.socket.resume();
  await expect.poll(() => caller.closed).toBe(true);
  await expect.poll(() => usage(slow)).toEqual({ counted: 1, free: 0 });
});

test('a caller that sends nothing more of its request for CALLER_TIMEOUT_MS gets 408, uncounted', async () => {
  const slow = await customer();
  for (const sent of [1, 70_000]) {
    const caller = open(
      impatient.url,
      request(slow.key, 'POST', '/echo', 'Content-Length: 100000\r\n') + 'x'.repeat(sent),
    );
    await expect.poll(() => caller.received).toMatch(/^HTTP\/1\.1 408 [^]*request-too-slow/);
    await expect.poll(() => caller.closed).toBe(true);
  }
  await expect.poll(() => usage(slow)).toMatchObject({ counted: 0 });
});

test('a caller that takes a large response of an in-process API steadily gets all of it', async () => {
  const steady = await customer();
  const { socket } = open(
    impatientInside.url,
    request(steady.key, 'GET', '/big/20000000', 'Connection: close\r\n'),
    false,
  );
  let bytes = 0;
  const began = performance.now();
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // 20 MB a second.
    const aheadMs = bytes / 20_000 - (performance.now() - began);
    if (aheadMs > 0 && !socket.isPaused()) {
      socket.pause();
      setTimeout(() => socket.resume(), aheadMs);
    }
  });
  socket.resume();
  await once(socket, 'close');
  expect(performance.now() - began).toBeGreaterThan(600);
  expect(bytes).toBeGreaterThan(20_000_000);
});

test('a small body that arrives in parts, for longer than CALLER_TIMEOUT_MS in all, is served', async () => {
  const [slow, other] = [await customer(), await customer()];
  const { url } = impatient;
  // The clock moves only between the parts, so a machine that stands still doesn't make the caller late.
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const caller = open(url, request(slow.key, 'POST', '/echo', 'Content-Length: 8\r\n'));
  await once(caller.socket, 'connect');
  for (let parts = 0; parts < 8; parts += 1) {
    caller.socket.write('x');
    // When the gateway has served a call that was sent after the part, it has read the part.
    expect((await harness.call(other.key, { url })).status).toBe(200);
    nowMs += 200;
    // The gateway looks for slow callers every 100 ms.
    await sleep(150);
  }
  await expect.poll(() => caller.received).toMatch(/^HTTP\/1\.1 200 /);
});
