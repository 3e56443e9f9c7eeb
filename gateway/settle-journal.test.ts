import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, spawnGateway } from '#gateway/test/process.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import {
  createCustomer,
  createTempDir,
  type Harness,
  openHarness,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';
import { listUnsettled, settleJournal } from './settle-journal.ts';

let harness: Harness;
const data = createTempDir();
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  await harness.close();
  data.remove();
});

test('settling the journal of a dead gateway counts its calls and releases its leases', async () => {
  const { pool, databaseUrl } = harness.database;
  const customer = await createCustomer(pool, { daily: 50 });
  const dead = await spawnGateway({ ...harness.setup, dataDir: data.path }, await freePort());
  const first = await Promise.all(Array.from({ length: 20 }, () => harness.call(customer.key, { url: dead.url })));
  expect(countStatuses(first)).toEqual({ 200: 20 });
  const folder = `${data.path}/journal`;
  const log = pino({ enabled: false });
  await expect(settleJournal(databaseUrl, folder, log)).rejects.toThrow(/Another gateway is using the journal/);
  await dead.kill();
  await pool.query(`update gateways set lease_until = now() - interval '5 minutes' where lease_until < 'infinity'`);
  await settleJournal(databaseUrl, folder, log);
  await settleJournal(databaseUrl, folder, log);
  expect(await usageOf(pool, customer.activationId)).toEqual({ counted: 20, free: 0 });
  expect(await listUnsettled(databaseUrl)).toEqual([]);
  const rest = await Promise.all(Array.from({ length: 40 }, () => harness.call(customer.key)));
  expect(countStatuses(rest)).toEqual({ 200: 30, 429: 10 });
  await expect.poll(() => findQuotaMismatches(harness.database)).toEqual([]);
});
