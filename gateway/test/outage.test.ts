import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import {
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
  usageOf,
} from './world.ts';

let harness: Harness;
let link: DatabaseLink;
let gateway: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  link = await openDatabaseLink(harness.database.databaseUrl);
  const dataDir = `${harness.setup.dataDir}/proxied`;
  gateway = await startTestGateway(
    { ...harness.setup, dataDir, databaseUrl: link.databaseUrl },
    { env: { DATABASE_TIMEOUT_MS: '2000' } },
  );
});
afterAll(async () => {
  await gateway.close();
  await link.close();
  await harness.close();
});

test('while the database is down, leased units still work, then calls get 503, and all calls succeed soon after it is back', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 100_000, monthly: 100_000, rps: 100_000 });
  let succeeded = 0;
  const call = async () => {
    const response = await harness.call(customer.key, { url: gateway.url });
    if (response.status === 200) succeeded += 1;
    return response;
  };
  await Promise.all(Array.from({ length: 400 }, call));
  await Promise.all(Array.from({ length: 50 }, call));
  const { held, counted, leaseEndsAt } = await callUntilRenewed(customer, call);
  const units = held - (succeeded - counted);
  link.shut();
  onTestFinished(link.open);
  const during: Awaited<ReturnType<typeof call>>[] = [];
  const started = performance.now();
  let withinLease = 0;
  while (performance.now() - started < 4000 || during.at(-1)?.status === 200) {
    during.push(await call());
    if (performance.now() < Math.min(started + 1000, leaseEndsAt)) withinLease = during.length;
  }
  const statuses = during.map(({ status }) => status);
  // The gateway's own lease is still running, and every revocation waits for its end.
  const sure = Math.min(withinLease, units);
  expect(statuses.slice(0, sure)).toEqual(Array<number>(sure).fill(200));
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
  expect(statuses.at(-1)).toBe(503);
  expect(during.at(-1)?.headers['retry-after']).toBe('1');
  expect(Object.keys(countStatuses(during))).not.toContain('500');
  expect((await fetch(`${gateway.url}/health`)).status).toBe(503);
  link.open();
  await expect.poll(async () => (await call()).status).toBe(200);
  await expect.poll(async () => (await usageOf(harness.database.pool, customer.activationId)).counted).toBe(succeeded);
});

/** Makes calls until the lease of their gateway was just renewed, and this machine didn't stand still meanwhile. */
async function callUntilRenewed({ activationId }: Customer, call: () => Promise<unknown>) {
  // The gateway measures its lease from before it asks for it, and subtracts a margin of 200 ms.
  const [quickMs, marginMs] = [150, 500];
  for (let quickTurns = 0; ;) {
    const turnBegan = performance.now();
    await call();
    const askedAt = performance.now();
    const { rows } = await harness.database.pool.query<{ held: number; counted: number; leaseMs: number }>(
      `select l.held::float8 as held, (extract(epoch from g.lease_until - clock_timestamp()) * 1000)::float8 as "leaseMs",
         (select coalesce(sum(u.calls), 0)::float8 from usage_counts u where u.activation_id = $1 and u.counted) as counted
       from leases l join gateways g on g.journal_id = l.journal_id where l.activation_id = $1`,
      [activationId],
    );
    quickTurns = performance.now() - turnBegan < quickMs ? quickTurns + 1 : 0;
    const [state] = rows;
    if (quickTurns >= 2 && state !== undefined && state.leaseMs > 2500)
      return { ...state, leaseEndsAt: askedAt + state.leaseMs - marginMs };
  }
}

test('connections that break at any moment lose no unit and count no call twice', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 600, monthly: 100_000, rps: 100_000 });
  let succeeded = 0;
  let calling = true;
  const caller = async (): Promise<void> => {
    while (stillCalling()) {
      const { status } = await harness.call(customer.key, { url: gateway.url });
      if (status === 200) succeeded += 1;
      await sleep(5);
    }
  };
  const stillCalling = (): boolean => calling;
  const callers = Array.from({ length: 8 }, caller);
  for (let round = 0; round < 25; round += 1) {
    await sleep(20 + Math.random() * 150);
    link.cut();
  }
  calling = false;
  await Promise.all(callers);
  const callOnceMore = async (): Promise<number> => {
    if ((await harness.call(customer.key, { url: gateway.url })).status === 200) succeeded += 1;
    return succeeded;
  };
  // All units can be used, although some grants were lost on the way, and no more.
  await expect.poll(callOnceMore, { interval: 1 }).toBe(600);
  for (let more = 0; more < 20; more += 1) expect(await callOnceMore()).toBe(600);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 600, free: 0 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});
