import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import {
  cancelRegistration,
  findRegistration,
  keepRegistration,
  registrationLifetimeMs,
  registrationLimits,
} from '#products/store/sandbox-registrations.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { testNow } from '#products/test-products.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  store = openStore(database.databaseUrl, () => undefined);
});
afterAll(async () => {
  await store.close();
  await database.close();
});

const limits = { registrations: 10, bytes: 5000 };
const kilobyte = 'x'.repeat(1000);
async function kept(customer: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ irn: string }>(
    'select irn from products.sandbox_registrations where customer = $1 order by registered_at',
    [customer],
  );
  return rows.map(({ irn }) => irn);
}

/** A kilobyte of a customer's activation, registered `irn` milliseconds after noon. */
const keepIn = (customer: string, activation: number, irn: string) =>
  keepRegistration(
    store,
    { caller: `ACT-${customer}-${activation}`, customer },
    { irn, document: kilobyte },
    testNow() + Number(irn),
    limits,
  );

test('a document can be registered anew after two days, before the sweep has deleted its registration', async () => {
  const registrant = { caller: 'ACT-old/test', customer: 'CUS-old/test' };
  const keep = (document: string, at: number) => keepRegistration(store, registrant, { irn: 'a', document }, at);
  expect(await keep('first', testNow())).toMatchObject({ isNew: true });
  await cancelRegistration(store, registrant.caller, 'a', testNow());
  const end = testNow() + registrationLifetimeMs;
  expect(await keep('second', end)).toMatchObject({ document: 'first', isNew: false });
  const registration = { document: 'second', registeredAt: new Date(end + 1), cancelledAt: null };
  expect(await keep('second', end + 1)).toEqual({ ...registration, isNew: true });
});

test('the newest thousand registrations and 16 MB of a customer’s test keys are kept', async () => {
  expect(registrationLimits).toEqual({ registrations: 1000, bytes: 16 * 1024 * 1024 });
  const registrant = { caller: 'ACT-many/test', customer: 'CUS-many/test' };
  await database.pool.query(
    `insert into products.sandbox_registrations (caller, irn, document, registered_at, customer)
     select 'ACT-many/test', 'irn-' || n, '{}', $1::timestamptz + n * interval '1 ms', 'CUS-many/test' from generate_series(1, 1000) n`,
    [new Date(testNow())],
  );
  await keepRegistration(store, registrant, { irn: 'newest', document: '{}' }, testNow() + 5000);
  expect(await findRegistration(store, 'ACT-many/test', 'irn-1')).toBeUndefined();
  expect(await findRegistration(store, 'ACT-many/test', 'irn-2')).toBeDefined();
  const large = { irn: 'large', document: 'x'.repeat(registrationLimits.bytes - 2) };
  await keepRegistration(store, registrant, large, testNow() + 6000);
  expect(await kept('CUS-many/test')).toEqual(['newest', 'large']);
});

test('registrations stay within the bytes of their customer across its activations, and evict nothing of another', async () => {
  await keepIn('CUS-2', 1, '1');
  await Promise.all(Array.from({ length: 40 }, (_, index) => keepIn('CUS-3', index % 4, String(index + 1))));
  expect(await kept('CUS-3')).toHaveLength(5);
  expect(await kept('CUS-2')).toEqual(['1']);
});

test('the registration just written stays, when it alone is too large and when others have a later time', async () => {
  const registrant = { caller: 'ACT-4', customer: 'CUS-4' };
  const keep = (irn: string, document: string, at: number) =>
    keepRegistration(store, registrant, { irn, document }, testNow() + at, limits);
  for (const later of [101, 102, 103, 104, 105]) await keep(`later-${later}`, kilobyte, later);
  await keep('behind', kilobyte, 1);
  expect(await kept('CUS-4')).toEqual(['behind', 'later-102', 'later-103', 'later-104', 'later-105']);
  await keep('huge', kilobyte.repeat(6), 2);
  expect(await kept('CUS-4')).toEqual(['huge']);
});
