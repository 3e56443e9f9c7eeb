import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { type CallTally, countCalls } from '#gateway/journal/store.ts';
import { activateAgain } from '#gateway/test/access.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import { createCustomer, type Customer } from '#gateway/test/world.ts';
import { heldLeases, releaseQuota, takeQuota } from './store.ts';

/** A database that was restored from a backup has no rows for quotas that were first used since. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const today = dayOf(Date.now());
let journals = 0;
async function newJournal(): Promise<string> {
  const id = `journal-${(journals += 1)}`;
  await database.pool.query('insert into journals (id, position) values ($1, 0)', [id]);
  return id;
}

const callsOf = (
  { activationId, cycleId, keyId }: Customer,
  calls: number,
  { day = today, ...more }: Partial<CallTally> = {},
): CallTally => ({
  activation: activationId,
  cycle: cycleId,
  key: keyId,
  lease: '',
  day,
  class: 2,
  counted: true,
  units: 1,
  calls,
  lastMs: Date.now(),
  ...more,
});

/** What a gateway does when it starts on its journal. */
async function catchUp(journal: string, calls: readonly CallTally[]): Promise<void> {
  const { pool } = database;
  expect(await countCalls(pool, journal, 0, 1, calls)).toEqual([]);
  await releaseQuota(pool, journal, await heldLeases(pool, journal));
}

const read = async (query: string, of: string): Promise<unknown[]> => (await database.pool.query(query, [of])).rows;

const makeDay = (activationId: string) =>
  database.pool.query(
    `insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date)
     select 'day', id, customer_id, service_id, $2::date, $2::date + 1 from activations where id = $1`,
    [activationId, today],
  );

const windowsOf = ({ activationId }: Customer) =>
  read(
    `select w.from_date, w.to_date, w.taken from quota_counters w join activations a using (customer_id, service_id)
     where w.kind = 'free-window' and a.id = $1 order by 1`,
    activationId,
  );

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

test('gateways that catch up together, beside calls that take units, book every call once and never deadlock', async () => {
  const { pool } = database;
  for (let round = 0; round < 8; round += 1) {
    const customers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createCustomer(pool, { daily: 100, ...(index % 2 === 0 ? { status: 'PAID' as const } : {}) }),
      ),
    );
    // Calls of this day were known of another plan of the activation.
    for (const { activationId } of customers.slice(0, 4)) await makeDay(activationId);
    const days = [today, addDays(today, -1), addDays(today, -2)];
    const catchingUp = await Promise.all([1, 2, 3].map(newJournal));
    const taking = await newJournal();
    const take = async ({ activationId, cycleId }: Customer): Promise<number> => {
      const request = { activationId, cycleId, day: today, keyId: '', wanted: 2, least: 1, needed: 1, recall: 'none' };
      return (await takeQuota(pool, taking, request))?.granted ?? 0;
    };
    const [granted] = await Promise.all([
      Promise.all(shuffled([...customers, ...customers]).map(take)),
      ...catchingUp.map((journal) =>
        catchUp(journal, shuffled(customers.flatMap((customer) => days.map((day) => callsOf(customer, 3, { day }))))),
      ),
    ]);
    expect(granted).toEqual(granted.map(() => 2));
    for (const { activationId } of customers)
      expect(
        await read(
          'select from_date as day, taken from quota_counters where scope_id = $1 order by day desc',
          activationId,
        ),
      ).toEqual(days.map((day) => ({ day, taken: day === today ? 13 : 9 })));
    expect(await findQuotaMismatches(database)).toEqual([]);
  }
});

test('taking units of a plan that has no row yet waits for its day before it makes one', async () => {
  const { pool } = database;
  const customer = await createCustomer(pool, { status: 'PAID', daily: 20 });
  const { activationId, cycleId } = customer;
  await makeDay(activationId);
  const [journal, other] = [await newJournal(), await newJournal()];
  const request = { activationId, cycleId, day: today, keyId: '', wanted: 2, least: 1, needed: 1, recall: 'none' };
  const releasing = await pool.connect();
  try {
    await releasing.query('begin');
    await countCalls(releasing, journal, 0, 1, [callsOf(customer, 3)]);
    // As far as another gateway has come with releasing.
    await releasing.query('select from quota_counters where scope_id = $1 for update', [activationId]);
    const taken = takeQuota(pool, other, request);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await releaseQuota(releasing, journal, await heldLeases(releasing, journal));
    await releasing.query('commit');
    expect(await taken).toMatchObject({ granted: 2, dayLeft: 15 });
  } finally {
    releasing.release();
  }
  expect(await findQuotaMismatches(database)).toEqual([]);
});

test('windows of free quota are opened by the earliest call, as when the calls were made', async () => {
  const { pool } = database;
  const first = await createCustomer(pool, { from: -45, to: -15, monthly: 100 });
  const again = await activateAgain(database, first, { from: -25, to: 5, monthly: 100 });
  const calls = [
    callsOf(again, 2),
    callsOf(again, 3, { day: addDays(today, -20) }),
    callsOf(first, 5, { day: addDays(today, -40) }),
  ];
  await catchUp(await newJournal(), calls);
  expect(await windowsOf(first)).toEqual([
    { from_date: addDays(today, -45), to_date: addDays(today, -15), taken: 8 },
    { from_date: addDays(today, -15), to_date: addDays(today, 15), taken: 2 },
  ]);
  expect(await findQuotaMismatches(database)).toEqual([]);
});

test('calls on days that their plan does not have in the backup are booked', async () => {
  const { pool } = database;
  const later = await createCustomer(pool, { from: 5, to: 35 });
  const earlier = await createCustomer(pool, { from: -40, to: -10 });
  await catchUp(await newJournal(), [callsOf(later, 4), callsOf(earlier, 4)]);
  for (const customer of [later, earlier])
    expect(await windowsOf(customer)).toEqual([{ from_date: today, to_date: addDays(today, 30), taken: 4 }]);
  expect(await findQuotaMismatches(database)).toEqual([]);
});

test('units of a day that retention has deleted are released without its row', async () => {
  const { pool } = database;
  const day = addDays(today, -420);
  const terms = { from: -430, to: -400 };
  for (const customer of [
    await createCustomer(pool, terms),
    await createCustomer(pool, { ...terms, status: 'PAID' }),
  ]) {
    const { activationId, cycleId } = customer;
    const journal = await newJournal();
    const request = { activationId, cycleId, day, keyId: '', wanted: 9, least: 1, needed: 1, recall: 'none' };
    expect(await takeQuota(pool, journal, request)).toMatchObject({ granted: 9 });
    await pool.query(
      `delete from quota_counters where kind <> 'cycle' and customer_id = (select customer_id from activations where id = $1)`,
      [activationId],
    );
    await catchUp(journal, [callsOf(customer, 4, { day })]);
    expect(await read('select from quota_counters where scope_id = $1', activationId)).toEqual([]);
    expect(await windowsOf(customer)).toEqual([]);
    expect(await read('select taken from quota_counters where scope_id = $1', cycleId)).toEqual([{ taken: 4 }]);
  }
  expect(await findQuotaMismatches(database)).toEqual([]);
});

test('a batch that is sent again after its confirmation was lost counts once', async () => {
  const { pool } = database;
  const customer = await createCustomer(pool);
  const journal = await newJournal();
  const calls = [
    callsOf(customer, 3),
    callsOf(customer, 2, { cycle: 'CYC-none' }),
    callsOf(customer, 1, { activation: 'ACT-none' }),
  ];
  expect(await countCalls(pool, journal, 0, 7, calls)).toMatchObject([
    { activation: customer.activationId, cycle: 'CYC-none', calls: 2, units: 2 },
    { activation: 'ACT-none', cycle: customer.cycleId, calls: 1, units: 1 },
  ]);
  expect(await countCalls(pool, journal, 0, 7, calls)).toEqual([]);
  await releaseQuota(pool, journal, await heldLeases(pool, journal));
  expect(await read('select taken from quota_counters where scope_id = $1', customer.activationId)).toEqual([
    { taken: 3 },
  ]);
});
