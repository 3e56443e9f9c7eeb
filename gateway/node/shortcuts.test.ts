import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayProcess, spawnGateway } from '#gateway/test/process.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import {
  createCustomer,
  createTempDir,
  type Harness,
  openHarness,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { exchangeInMemory } from './in-memory-exchange.ts';
import type { Shortcut } from './shortcut.ts';
import { checkShortcuts, shortcuts } from './shortcuts.ts';

test.each(shortcuts.map(({ name, selfTest }) => [name, selfTest] as const))(
  'the self-test passes on this Node: %s',
  async (_name, selfTest) => {
    expect(await selfTest()).toBe(true);
  },
);

test('disables the shortcuts whose self-test fails, throws or hangs, and no others', async () => {
  const disabled: string[] = [];
  const fake = (name: string, selfTest: Shortcut['selfTest']): Shortcut => ({
    name,
    fallback: '',
    selfTest,
    disable: () => void disabled.push(name),
  });
  const fakes = [
    fake('passes', () => true),
    fake('fails', () => Promise.resolve(false)),
    fake('throws', () => {
      throw new Error('renamed');
    }),
    fake('hangs', () =>
      exchangeInMemory(
        {},
        'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
        () => {},
        ({ received, until }) => until(() => received() !== ''),
      ),
    ),
  ];
  const found = await checkShortcuts(fakes);
  expect(found.map(({ name }) => name)).toEqual(['fails', 'throws', 'hangs']);
  expect(disabled).toEqual(['fails', 'throws', 'hangs']);
});

let harness: Harness;
let gateway: GatewayProcess;
const data = createTempDir();
beforeAll(async () => {
  harness = await openHarness();
  gateway = await spawnGateway({ ...harness.setup, dataDir: data.path }, await freePort(), undefined, {
    NODE_SHORTCUTS: 'off',
  });
});
afterAll(async () => {
  await gateway.kill();
  await harness.close();
  data.remove();
});

/** Sends raw bytes and returns everything received until the gateway closes the connection. */
function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(bytes, 'latin1');
  return text(socket);
}

test('without shortcuts, quotas hold and counts are exact', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 50, rps: 1000 });
  const bodies = [undefined, '{"a":1}', 'x'.repeat(200_000)];
  const responses = await Promise.all(
    Array.from({ length: 80 }, (_, index) => {
      const body = bodies[index % bodies.length];
      const how = body === undefined ? {} : { method: 'POST' as const, body };
      return harness.call(customer.key, { url: gateway.url, ...how });
    }),
  );
  expect(countStatuses(responses)).toEqual({ 200: 50, 429: 30 });
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 50, free: 0 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});

test('without shortcuts, pipelined calls get their responses in order, and a malformed one closes the connection', async () => {
  const { key } = await createCustomer(harness.database.pool, { daily: 50, rps: 1000 });
  const call = (more = ''): string =>
    `GET /tax-lookup/v1/hsn/8471 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${more}\r\n`;
  const received = await send(call() + call() + call('Connection: close\r\n'));
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(await send('GET / HTTP/1.1\r\nHost : a\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
});
