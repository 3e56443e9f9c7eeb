import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { dayOf } from '#shared/domain/day.ts';
import { type CountedLeft, settleJournal } from '#gateway/settle-journal.ts';
import { activateAgain } from '#gateway/test/access.ts';
import { loadBackup, type OlderBackup, takeBackup } from '#gateway/test/older-backup.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import {
  addCycle,
  addKey,
  countStatuses,
  createCustomer,
  createTempDir,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';
import { createLog } from '#shared/platform/log.ts';

/** An older backup is restored, and the journal of a gateway has the calls since (docs/operating/backups.md, Restore). */
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

interface Restored {
  database: TestDatabase;
  /** Of the data folder of the gateway that ran before and after the backup. */
  setup: Harness['setup'];
}

/** `before` and `since` call a gateway before and after the backup; `then` finds its journal and the restored database. */
async function withRestored(
  steps: { before?: (url: string) => Promise<void>; since: (url: string) => Promise<void> },
  then: (restored: Restored) => Promise<void>,
): Promise<void> {
  const data = createTempDir();
  const setup = { ...harness.setup, dataDir: data.path };
  const gateway = await startTestGateway(setup);
  let backup: OlderBackup;
  try {
    await steps.before?.(gateway.url);
    backup = await takeBackup(harness.database.pool);
    await steps.since(gateway.url);
  } finally {
    await gateway.close();
  }
  const database = await createTestDatabase();
  try {
    await loadBackup(database.owner.pool, backup);
    await then({ database, setup: { ...setup, databaseUrl: database.databaseUrl } });
    expect(await findQuotaMismatches(database)).toEqual([]);
  } finally {
    await database.close();
    data.remove();
  }
}

async function callOn(url: string, key: string, calls: number): Promise<Record<number, number>> {
  return countStatuses(await Promise.all(Array.from({ length: calls }, () => harness.call(key, { url }))));
}

async function settle({ setup: { databaseUrl, dataDir } }: Restored): Promise<CountedLeft> {
  let counted: CountedLeft = { calls: 0, uncounted: [] };
  const log = createLog('test', { level: 'silent' });
  await settleJournal(databaseUrl, join(dataDir, 'journal'), log, async (client, work) => {
    await client.query('begin');
    counted = await work();
    await client.query('commit');
  });
  return counted;
}

test.each([
  ['a paid plan', { status: 'PAID' as const }],
  ['a free plan', {}],
])('calls of %s since the backup are booked on its quotas, and exactly the rest is left', async (_plan, terms) => {
  const { pool } = harness.database;
  /** Their first call of the day and of the plan comes after the backup. */
  const [byDay, byCycle, early] = await Promise.all([
    createCustomer(pool, { ...terms, daily: 20 }),
    createCustomer(pool, { ...terms, monthly: 20 }),
    createCustomer(pool, { ...terms, daily: 20, monthly: 20 }),
  ]);
  await withRestored(
    {
      before: async (url) => void (await callOn(url, early.key, 3)),
      since: async (url) => {
        for (const { key } of [byDay, byCycle, early]) expect(await callOn(url, key, 7)).toEqual({ 200: 7 });
      },
    },
    async ({ database, setup }) => {
      const gateway = await startTestGateway(setup);
      try {
        expect(await findQuotaMismatches(database)).toEqual([]);
        expect(await usageOf(database.pool, byDay.activationId)).toEqual({ counted: 7, free: 0 });
        expect(await callOn(gateway.url, byDay.key, 30)).toEqual({ 200: 13, 429: 17 });
        expect(await callOn(gateway.url, byCycle.key, 30)).toEqual({ 200: 13, 429: 17 });
        expect(await callOn(gateway.url, early.key, 30)).toEqual({ 200: 10, 429: 20 });
      } finally {
        await gateway.close();
      }
    },
  );
});

test('free calls since the backup are missing from the free quota of the next activation too', async () => {
  const plan = { daily: 20, monthly: 20 };
  const customer = await createCustomer(harness.database.pool, plan);
  await withRestored({ since: async (url) => void (await callOn(url, customer.key, 7)) }, async (restored) => {
    await settle(restored);
    const again = await activateAgain(restored.database, customer, plan);
    const gateway = await startTestGateway(restored.setup);
    try {
      expect(await callOn(gateway.url, again.key, 30)).toEqual({ 200: 13, 429: 17 });
    } finally {
      await gateway.close();
    }
  });
});

test('calls with a key that was made since the backup are counted on their plan', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { status: 'PAID', daily: 20 });
  let made: Pick<Customer, 'keyId' | 'key'> | undefined;
  await withRestored(
    {
      since: async (url) => {
        made = await addKey(pool, customer.activationId);
        expect(await callOn(url, made.key, 5)).toEqual({ 200: 5 });
        expect(await callOn(url, customer.key, 2)).toEqual({ 200: 2 });
      },
    },
    async ({ database, setup }) => {
      const gateway = await startTestGateway(setup);
      try {
        expect(await usageOf(database.pool, customer.activationId)).toEqual({ counted: 7, free: 0 });
        expect(await callOn(gateway.url, made?.key ?? '', 1)).toEqual({ 401: 1 });
        expect(await callOn(gateway.url, customer.key, 30)).toEqual({ 200: 13, 429: 17 });
      } finally {
        await gateway.close();
      }
    },
  );
});

/** Two customers whose plan is not in the backup, and one whose plan is. */
async function withUnknownPlans(
  then: (restored: Restored, lost: (Customer & { calls: number })[], customer: Customer) => Promise<void>,
): Promise<void> {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { status: 'PAID', daily: 20 });
  const renewing = await createCustomer(pool, { status: 'PAID', from: -30, to: 0 });
  const lost: (Customer & { calls: number })[] = [];
  await withRestored(
    {
      since: async (url) => {
        const cycleId = await addCycle(pool, renewing.activationId, { status: 'PAID', from: 0, to: 30 });
        lost.push({ ...renewing, cycleId, calls: 3 }, { ...(await createCustomer(pool)), calls: 4 });
        for (const { key, calls } of lost) expect(await callOn(url, key, calls)).toEqual({ 200: calls });
        expect(await callOn(url, customer.key, 2)).toEqual({ 200: 2 });
      },
    },
    (restored) => then(restored, lost, customer),
  );
}

const described = ({ activationId, cycleId, calls }: Customer & { calls: number }) => {
  const today = dayOf(Date.now());
  return { activation: activationId, cycle: cycleId, calls, units: calls, firstDay: today, lastDay: today };
};

test('a gateway starts on a journal with calls on plans that were made since the backup: it logs them, and counts all others', async () => {
  await withUnknownPlans(async ({ database, setup }, lost, customer) => {
    const lines: string[] = [];
    const log = createLog('test', { level: 'error', destination: { write: (line) => void lines.push(line) } });
    const gateway = await startTestGateway(setup, { log });
    try {
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
        expect.arrayContaining(
          lost.map((each) =>
            expect.objectContaining({ ...described(each), msg: expect.stringContaining('not counted') }),
          ),
        ),
      );
      expect(lines).toHaveLength(lost.length);
      expect(await usageOf(database.pool, customer.activationId)).toEqual({ counted: 2, free: 0 });
      expect(await callOn(gateway.url, customer.key, 30)).toEqual({ 200: 18, 429: 12 });
    } finally {
      await gateway.close();
    }
    // The journal is done with these calls.
    lines.length = 0;
    await (await startTestGateway(setup, { log })).close();
    expect(lines).toEqual([]);
  });
});

test('settling such a journal returns them', async () => {
  await withUnknownPlans(async (restored, lost) => {
    const { calls, uncounted } = await settle(restored);
    expect(calls).toBe(2);
    expect(uncounted).toHaveLength(lost.length);
    expect(uncounted).toEqual(expect.arrayContaining(lost.map((each) => ({ ...described(each), fault: null }))));
    expect(await settle(restored)).toEqual({ calls: 0, uncounted: [] });
  });
});
