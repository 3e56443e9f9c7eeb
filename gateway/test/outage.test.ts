import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, countStatuses, usageOf } from './world.ts';

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
  const call = () => harness.call(customer.key, { url: gateway.url });
  await Promise.all(Array.from({ length: 400 }, call));
  await Promise.all(Array.from({ length: 50 }, call));
  link.shut();
  onTestFinished(link.open);
  const during = [];
  const started = performance.now();
  let withinLease = 0;
  while (performance.now() - started < 4000) {
    during.push(await call());
    if (performance.now() - started < 1000) withinLease = during.length;
  }
  const statuses = during.map(({ status }) => status);
  // The gateway's own lease is still running, and every revocation waits for its end.
  expect(statuses.slice(0, withinLease)).toEqual(Array<number>(withinLease).fill(200));
  expect(statuses[0]).toBe(200);
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
  expect(statuses.at(-1)).toBe(503);
  expect(during.at(-1)?.headers['retry-after']).toBe('1');
  expect(Object.keys(countStatuses(during))).not.toContain('500');
  expect((await fetch(`${gateway.url}/health`)).status).toBe(503);
  link.open();
  await expect.poll(async () => (await call()).status).toBe(200);
  const succeeded = 451 + (countStatuses(during)[200] ?? 0);
  await expect.poll(async () => (await usageOf(harness.database.pool, customer.activationId)).counted).toBe(succeeded);
});

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
