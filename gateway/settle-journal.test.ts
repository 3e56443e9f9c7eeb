import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endStatementsOfKilled, spawnGateway } from '#gateway/test/process.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import {
  createCustomer,
  createTempDir,
  type Harness,
  openHarness,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';
import { listLeftJournals } from '#shared/database/left-journals.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { type InTransaction, settleJournal } from './settle-journal.ts';

let harness: Harness;
const data = createTempDir();
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  await harness.close();
  data.remove();
});

const committed: InTransaction = async (client, work) => {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

test('settling the journal of a dead gateway counts its calls and releases its leases, all or nothing', async () => {
  const { db, pool, databaseUrl } = harness.database;
  const customer = await createCustomer(pool, { daily: 50 });
  const dead = await spawnGateway({ ...harness.setup, dataDir: data.path }, await freePort());
  const folder = `${data.path}/journal`;
  const settle = (inTransaction = committed) =>
    settleJournal(databaseUrl, folder, pino({ enabled: false }), inTransaction);
  await expect(settle()).rejects.toThrow(/Another gateway is using the journal/);
  // It may not count its calls before it dies.
  const blocker = await pool.connect();
  await blocker.query('begin; lock table usage_counts in share row exclusive mode');
  const first = await Promise.all(Array.from({ length: 20 }, () => harness.call(customer.key, { url: dead.url })));
  expect(countStatuses(first)).toEqual({ 200: 20 });
  await dead.kill();
  await endStatementsOfKilled(pool);
  await blocker.query('rollback');
  blocker.release();
  await pool.query(`update gateways set lease_until = now() - interval '5 minutes' where lease_until < 'infinity'`);
  await expect(
    settle((client, work) =>
      committed(client, async () => {
        expect(await work()).toMatchObject({ calls: 20, uncounted: [] });
        throw new Error('the audit log refuses it');
      }),
    ),
  ).rejects.toThrow('the audit log refuses it');
  expect((await listLeftJournals(db)).map(({ held }) => held)).not.toEqual([]);
  await settle();
  await settle();
  expect(await usageOf(pool, customer.activationId)).toEqual({ counted: 20, free: 0 });
  expect(await listLeftJournals(db)).toEqual([]);
  const rest = await Promise.all(Array.from({ length: 40 }, () => harness.call(customer.key)));
  expect(countStatuses(rest)).toEqual({ 200: 30, 429: 10 });
  await expect.poll(() => findQuotaMismatches(harness.database)).toEqual([]);
});
