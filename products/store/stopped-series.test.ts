import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTestInvoicing } from '#products/test-products.ts';

// What a restore leaves: see backup/stop-series.ts.
let database: TestDatabase;
let store: Store;
let server: ProductServer;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  store = openStore(database.databaseUrl, () => undefined);
  server = await createTestInvoicing({ store });
});
afterAll(async () => {
  await server.close();
  await store.close();
  await database.close();
});

/** The next number of a customer, or why there is none. */
const giveTo = async (customer: string, key: string, body: object = {}, activation = `ACT-${customer}`) => {
  const reply = await server.inject({
    method: 'POST',
    url: '/v1/numbers',
    payload: { series: 'TPX', date: '2026-11-02', ...body },
    headers: { 'x-octroi-customer': customer, 'x-octroi-activation': activation, 'idempotency-key': key },
  });
  const { number, code, detail } = reply.json<Record<string, string>>();
  return reply.statusCode === 200 ? number : `${reply.statusCode} ${code}: ${detail}`;
};

const refused = expect.stringMatching(/^409 series-stopped: .*Send startAt once/);

test('a series that a restore has stopped gives no number before its customer says where it goes on, whichever activation asks', async () => {
  expect(await giveTo('CUS-1', 'a')).toBe('TPX/26-27/000001');
  expect(await giveTo('CUS-1', 'b')).toBe('TPX/26-27/000002');
  await database.pool.query('update products.series set is_stopped = true');
  expect(await giveTo('CUS-1', 'c')).toEqual(refused);
  expect(await giveTo('CUS-1', 'd', {}, 'ACT-NEW')).toEqual(expect.stringContaining('which is 2 or a later one'));
  expect(await giveTo('CUS-1', 'e', { startAt: 2 })).toEqual(refused);
  // A repeat gets the number that is known of it.
  await database.pool.query('delete from products.answers');
  expect(await giveTo('CUS-1', 'b')).toBe('TPX/26-27/000002');
  expect(await giveTo('CUS-1', 'f', { startAt: 5 })).toBe('TPX/26-27/000005');
  expect(await giveTo('CUS-1', 'g', { startAt: 5 })).toBe('TPX/26-27/000006');
  expect(await giveTo('CUS-1', 'h', {}, 'ACT-NEW')).toBe('TPX/26-27/000007');
});

test('a series that may have begun since the backup needs its start too; those of later years and of new customers don’t', async () => {
  await database.pool.query(`insert into products.restored_callers values ('CUS-2', '2026-27')`);
  expect(await giveTo('CUS-2', 'a')).toEqual(refused);
  expect(await giveTo('CUS-2', 'b', { startAt: 4 })).toBe('TPX/26-27/000004');
  expect(await giveTo('CUS-2', 'c')).toBe('TPX/26-27/000005');
  expect(await giveTo('CUS-2', 'd', { type: 'CRN' })).toEqual(refused);
  expect(await giveTo('CUS-2', 'e', { date: '2027-04-01' })).toBe('TPX/27-28/000001');
  expect(await giveTo('CUS-3', 'a')).toBe('TPX/26-27/000001');
});

test.each([
  ['', 'CUS-4', undefined],
  [' again', 'CUS-5', 2],
])(
  'a series that only an activation has counted is stopped%s for the others of its customer',
  async (_, customer, startAt) => {
    const activation = `OLD-${customer}`;
    await database.pool.query(`insert into products.series values ($1, 'TPX', 'INV', '2026-27', 3, '-', true)`, [
      activation,
    ]);
    if (startAt !== undefined) await giveTo(customer, 'a', { startAt });
    // It takes the series over.
    const headers = { 'x-octroi-customer': customer, 'x-octroi-activation': activation };
    await server.inject({ url: '/v1/numbers?series=TPX&date=2026-11-02', headers });
    expect(await giveTo(customer, 'b')).toEqual(refused);
  },
);
