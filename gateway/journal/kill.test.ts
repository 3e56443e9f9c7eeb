import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endStatementsOfKilled, type GatewayProcess, spawnGateway } from '#gateway/test/process.ts';
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
import { readLine } from './lines.ts';

let harness: Harness;
let port: number;
const data = createTempDir();
/** KILL_ROUNDS sets the number of rounds, for longer runs. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 5);
let running: GatewayProcess | undefined;

beforeAll(async () => {
  harness = await openHarness();
  port = await freePort();
});
afterAll(async () => {
  await running?.kill();
  await harness.close();
  data.remove();
});

const start = async (): Promise<GatewayProcess> => {
  running = await spawnGateway({ ...harness.setup, dataDir: data.path }, port);
  return running;
};

test.each([
  ['daily', { daily: 500 }],
  ['monthly', { monthly: 500 }],
])(
  '1,000 calls with a %s quota of 500: exactly 500 succeed, also after kill -9 and a restart',
  async (_policy, terms) => {
    const customer = await createCustomer(harness.database.pool, terms);
    const first = await start();
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => harness.call(customer.key, { url: first.url })),
    );
    await first.kill();
    expect(countStatuses(responses)).toEqual({ 200: 500, 429: 500 });
    const second = await start();
    expect(await usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 500, free: 0 });
    expect((await harness.call(customer.key, { url: second.url })).status).toBe(429);
    expect(await second.stop()).toBe(0);
    expect(await findQuotaMismatches(harness.database)).toEqual([]);
  },
);

test(
  'killed at any moment under load, every call with a response is counted once, and no units stay on lease',
  { timeout: rounds * 30_000 },
  async () => {
    const customer = await createCustomer(harness.database.pool, {
      daily: 1_000_000,
      monthly: 1_000_000,
      rps: 100_000,
    });
    let succeeded = 0;
    let cutOff = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { url, kill } = await start();
      const caller = async (): Promise<void> => {
        for (;;) {
          const outcome = await harness.call(customer.key, { url }).catch(() => undefined);
          if (outcome?.status === 200) succeeded += 1;
          if (outcome === undefined) cutOff += 1;
          if (outcome === undefined) return;
        }
      };
      const callers = Array.from({ length: 20 }, caller);
      const enough = succeeded + 25;
      await vi.waitUntil(() => succeeded >= enough, { interval: 5, timeout: 60_000 });
      await sleep(200 + Math.random() * 800);
      await kill();
      await Promise.all(callers);
    }
    // As if the process was killed while writing a line.
    const last = readdirSync(join(data.path, 'journal')).findLast((name) => name.endsWith('.log')) ?? '';
    appendFileSync(join(data.path, 'journal', last), '0badc0de {"s":9');
    const after = await start();
    expect(await after.stop()).toBe(0);
    const { counted } = await usageOf(harness.database.pool, customer.activationId);
    // A call may have been written to the journal and cut off before its response arrived.
    expect(counted).toBeGreaterThanOrEqual(succeeded);
    expect(counted).toBeLessThanOrEqual(succeeded + cutOff);
    expect(succeeded).toBeGreaterThan(100);
    const held = await harness.database.pool.query('select * from leases where activation_id = $1', [
      customer.activationId,
    ]);
    expect(held.rows).toEqual([]);
    expect(await findQuotaMismatches(harness.database)).toEqual([]);
  },
);

test('after a power cut, customers lose no call, and only unsynced calls are free', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 400 });
  const { url, kill } = await start();
  let succeeded = 0;
  const caller = async (): Promise<void> => {
    while (succeeded < 250) {
      const outcome = await harness.call(customer.key, { url }).catch(() => undefined);
      if (outcome?.status !== 200) return;
      succeeded += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  await kill();
  await endStatementsOfKilled(harness.database.pool);
  // The disk keeps the lines that later lines report as synced, and the database keeps its counts.
  const folder = join(data.path, 'journal');
  const file = join(folder, readdirSync(folder).findLast((name) => name.endsWith('.log')) ?? '');
  const texts = readFileSync(file, 'latin1').split('\n');
  const lines = texts.map(readLine).filter((line) => line !== undefined);
  const durable = Math.max(...lines.map((line) => line.durable));
  const id = readFileSync(join(folder, 'id'), 'utf8').trim();
  const { rows } = await harness.database.pool.query<{ position: number }>(
    'select position::int from journals where id = $1',
    [id],
  );
  const lost = lines.filter(({ sequence }) => sequence > Math.max(durable, rows[0]?.position ?? 0));
  const lostCalls = lost.flatMap(({ calls }) => calls).reduce((sum, { calls }) => sum + calls, 0);
  const kept = texts.filter((text) => (readLine(text)?.sequence ?? 0) <= durable);
  writeFileSync(file, `${kept.join('\n')}\n`);

  const after = await start();
  const rest = await Promise.all(Array.from({ length: 500 }, () => harness.call(customer.key, { url: after.url })));
  expect(succeeded + (countStatuses(rest)[200] ?? 0)).toBe(400 + lostCalls);
  expect(lostCalls).toBeLessThan(succeeded);
  expect(await after.stop()).toBe(0);
  expect(await usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 400, free: 0 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});

test('a second gateway on the same journal fails to start, and the first keeps working', async () => {
  const customer = await createCustomer(harness.database.pool);
  const first = await start();
  const refused = await spawnGateway({ ...harness.setup, dataDir: data.path }, await freePort()).then(String, String);
  expect(refused).toMatch(/Another gateway is using the journal in/);
  // Without the place in the program where it arose.
  expect(refused).not.toMatch(/^\s+at /m);
  expect((await harness.call(customer.key, { url: first.url })).status).toBe(200);
  expect(await first.stop()).toBe(0);
});

test('on SIGTERM, the gateway finishes its calls, counts them and releases its leases', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1000 });
  const { url, stop } = await start();
  await harness.call(customer.key, { url });
  const before = harness.product.received();
  const slow = Array.from({ length: 20 }, () => harness.call(customer.key, { url, path: '/slow/400' }));
  await vi.waitUntil(() => harness.product.received() === before + 20, { interval: 5, timeout: 60_000 });
  expect(await stop()).toBe(0);
  expect(countStatuses(await Promise.all(slow))).toEqual({ 200: 20 });
  expect(await usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 21, free: 0 });
  const held = await harness.database.pool.query('select * from leases where activation_id = $1', [
    customer.activationId,
  ]);
  expect(held.rows).toEqual([]);
});
