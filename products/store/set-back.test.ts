import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTestInvoicing } from '#products/test-products.ts';

// The portal's database, with the rights that the processes have.
let database: TestDatabase;
let store: Store;
let server: ProductServer;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.databaseUrl, () => undefined);
  server = await createTestInvoicing({ store });
});
afterAll(async () => {
  await server.close();
  await store.close();
  await database.close();
});

const setBack = (setback: string | null) =>
  database.owner.pool.query('update installation set setback = $1, setback_reason = $2', [
    setback,
    setback && 'was set back',
  ]);

/** The next number of a customer, or why there is none. */
const give = async (key: string, customer = 'CUS-1') => {
  const reply = await server.inject({
    method: 'POST',
    url: '/v1/numbers',
    payload: { series: 'TPX', date: '2026-11-02' },
    headers: { 'x-octroi-customer': customer, 'x-octroi-activation': `ACT-${customer}`, 'idempotency-key': key },
  });
  const { number, detail } = reply.json<Record<string, string>>();
  return reply.statusCode === 200 ? number : `${reply.statusCode}: ${detail}`;
};

const refused = expect.stringMatching(/^503: The database of this API was set back/);

test.each(['RESTORED', 'WENT_BACK'])(
  'while the database is %s no customer gets a number, and none is lost by asking',
  async (setback) => {
    const customer = `CUS-${setback}`;
    expect(await give('a', customer)).toBe('TPX/26-27/000001');
    await setBack(setback);
    expect(await give('b', customer)).toEqual(refused);
    expect(await give('b', 'CUS-NEW')).toEqual(refused);
    expect(await give('b', `${customer}/test`)).toEqual(refused);
    await setBack(null);
    expect(await give('b', customer)).toBe('TPX/26-27/000002');
  },
);

test('after a fail-over numbers go on', async () => {
  await setBack('MOVED');
  expect(await give('a', 'CUS-MOVED')).toBe('TPX/26-27/000001');
});
