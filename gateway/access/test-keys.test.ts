import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, readCatalog } from '#catalog/catalog.ts';
import { dayOf } from '#domain/day.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { type Product, startProduct } from '#gateway/test/product.ts';
import {
  addKey,
  type Answer,
  createCustomer,
  type Customer,
  type House,
  openHouse,
  startTestGateway,
  tallyOf,
} from '#gateway/test/world.ts';
import { projectFolder } from '#platform/project-folder.ts';

/** The catalogue as it is sold, but for the sandboxes of its products. */
function catalogWith(dailyCalls: number | undefined): Catalog {
  const products = readCatalog(projectFolder('catalog')).products.map((product) => ({
    ...product,
    sandbox: dailyCalls === undefined ? undefined : { upstreamUrl: product.upstreamUrl, dailyCalls },
  }));
  return { products, find: (id) => products.find((each) => each.id === id || each.aliases.includes(id)) };
}

const dailyCalls = 40;
const env = { TEST_KEY_RPS: '5000' };
let house: House;
let sandbox: Product;
let second: Gateway;
let bare: Gateway;
beforeAll(async () => {
  sandbox = await startProduct();
  const options = { env, sandbox: sandbox.url, catalog: catalogWith(dailyCalls) };
  house = await openHouse(options);
  second = await startTestGateway({ ...house.place, dataDir: `${house.place.dataDir}/second` }, options);
  bare = await startTestGateway(
    { ...house.place, dataDir: `${house.place.dataDir}/bare` },
    { env, catalog: catalogWith(undefined) },
  );
});
afterAll(async () => {
  await bare.close();
  await second.close();
  await house.close();
  await sandbox.close();
});

async function testKeys(customer: Customer, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) {
    keys.push((await addKey(house.database.pool, customer.activationId, { test: true })).key);
  }
  return keys;
}

/** Calls with the keys in turn, on both gateways in turn, all at once. */
const storm = (keys: readonly string[], calls: number): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: calls }, (_, index) =>
      house.call(keys[index % keys.length] ?? '', { url: index % 2 === 0 ? house.gateway.url : second.url }),
    ),
  );

test('a call of a test key goes to the sandbox and never to the API itself', async () => {
  const customer = await createCustomer(house.database.pool);
  const [key = ''] = await testKeys(customer, 1);
  const [live, tried] = [house.product.begun(), sandbox.begun()];
  expect(await house.call(key)).toMatchObject({ status: 200, headers: { 'octroi-mode': 'test' } });
  expect(house.product.begun()).toBe(live);
  expect(sandbox.begun()).toBe(tried + 1);
  expect((await house.call(customer.key)).status).toBe(200);
  expect(house.product.begun()).toBe(live + 1);
});

test('all test keys of a customer share one daily cap, exact over several gateways', async () => {
  const customer = await createCustomer(house.database.pool);
  const keys = await testKeys(customer, 6);
  const before = sandbox.begun();
  const responses = await storm(keys, 100);
  expect(tallyOf(responses)).toEqual({ 200: dailyCalls, 429: 100 - dailyCalls });
  expect(sandbox.begun() - before).toBe(dailyCalls);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({
    'violated-policies': ['test'],
    message: expect.stringContaining(`All ${dailyCalls} test calls`),
  });
  // A customer with calls left is not concerned.
  const other = await createCustomer(house.database.pool);
  expect(tallyOf(await storm(await testKeys(other, 1), 3))).toEqual({ 200: 3 });
});

test('neither a restart of a gateway, nor a new key, nor a new activation renews the daily cap', async () => {
  const { pool } = house.database;
  const customer = await createCustomer(pool);
  expect(tallyOf(await storm(await testKeys(customer, 1), dailyCalls))).toEqual({ 200: dailyCalls });
  await pool.query('update activations set deleted_at = now() where id = $1', [customer.activationId]);
  const again = `${customer.activationId}2`;
  await pool.query(
    `insert into activations (id, customer_id, service_id, created_at) select $2, customer_id, 'tax-lookup', now() from activations where id = $1`,
    [customer.activationId, again],
  );
  const { key } = await addKey(pool, again, { test: true });
  const restarted = await startTestGateway(
    { ...house.place, dataDir: `${house.place.dataDir}/restarted` },
    { env, sandbox: sandbox.url, catalog: catalogWith(dailyCalls) },
  );
  expect((await house.call(key, { url: restarted.url })).status).toBe(429);
  await restarted.close();
});

test('the daily cap begins again with the next IST day, and a gateway whose clock is behind does not reset it', async () => {
  const { pool } = house.database;
  const customer = await createCustomer(pool);
  const { rows } = await pool.query<{ customer: string }>(
    'select customer_id as customer from activations where id = $1',
    [customer.activationId],
  );
  const take = async (day: string): Promise<boolean> => {
    const taken = await pool.query<{ taken: boolean }>(`select take_test_call($1, 'tax-lookup-api', $2, 2) as taken`, [
      rows[0]?.customer,
      day,
    ]);
    return taken.rows[0]?.taken === true;
  };
  expect([await take('2026-11-21'), await take('2026-11-21'), await take('2026-11-21')]).toEqual([true, true, false]);
  expect([await take('2026-11-22'), await take('2026-11-21'), await take('2026-11-22')]).toEqual([true, true, false]);
  expect(dayOf(Date.now())).not.toBe('2026-11-21');
});

test('nothing gives used test calls back', async () => {
  const { pool } = house.database;
  await storm(await testKeys(await createCustomer(pool), 1), 2);
  await expect(pool.query('update test_calls set calls = 1')).rejects.toThrow('test calls only grow');
  await expect(pool.query('delete from test_calls')).rejects.toThrow('test calls only grow');
});

test('all test keys of a customer share one limit per second', async () => {
  const slow = await startTestGateway(
    { ...house.place, dataDir: `${house.place.dataDir}/slow` },
    { env: { TEST_KEY_RPS: '3' }, sandbox: sandbox.url, catalog: catalogWith(1000) },
  );
  const keys = await testKeys(await createCustomer(house.database.pool), 4);
  const calls = Array.from({ length: 16 }, (_, index) => house.call(keys[index % 4] ?? '', { url: slow.url }));
  expect(tallyOf(await Promise.all(calls))).toEqual({ 200: 3, 429: 13 });
  await slow.close();
});

test('a test key of an API that has lost its sandbox is refused, and reaches nothing', async () => {
  const customer = await createCustomer(house.database.pool);
  const [key = ''] = await testKeys(customer, 1);
  const before = house.product.begun();
  expect(await house.call(key, { url: bare.url })).toMatchObject({ status: 403, json: { code: 'no-sandbox' } });
  expect(house.product.begun()).toBe(before);
  expect((await house.call(customer.key, { url: bare.url })).status).toBe(200);
});
