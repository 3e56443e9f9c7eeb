import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { type Product, startProduct } from '#gateway/test/product.ts';
import {
  expectLimited,
  addKey,
  type TestResponse,
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
} from '#gateway/test/world.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** The tests’ catalogue, with its own sandboxes replaced. */
function catalogWith(dailyCalls: number | undefined): Catalog {
  const products = readCatalog(projectFolder('ship', 'standins', 'catalog')).products.map((product) => ({
    ...product,
    sandbox: dailyCalls === undefined ? undefined : { upstreamUrl: product.upstreamUrl, dailyCalls },
  }));
  return { products, guides: [], find: (id) => products.find((each) => each.id === id || each.aliases.includes(id)) };
}

const dailyCalls = 40;
const env = { TEST_KEY_RPS: '5000' };
let harness: Harness;
let sandbox: Product;
let second: Gateway;
let bare: Gateway;
beforeAll(async () => {
  sandbox = await startProduct();
  const options = { env, sandbox: sandbox.url, catalog: catalogWith(dailyCalls) };
  harness = await openHarness(options);
  second = await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/second` }, options);
  bare = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/bare` },
    { env, catalog: catalogWith(undefined) },
  );
});
afterAll(async () => {
  await bare.close();
  await second.close();
  await harness.close();
  await sandbox.close();
});

async function testKeys(customer: Customer, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) {
    keys.push((await addKey(harness.database.pool, customer.activationId, { test: true })).key);
  }
  return keys;
}

/** Concurrent calls, alternating between the keys and between both gateways. */
const burst = (keys: readonly string[], calls: number): Promise<TestResponse[]> =>
  Promise.all(
    Array.from({ length: calls }, (_, index) =>
      harness.call(keys[index % keys.length] ?? '', { url: index % 2 === 0 ? harness.gateway.url : second.url }),
    ),
  );

test('a call of a test key goes to the sandbox and never to the API itself', async () => {
  const customer = await createCustomer(harness.database.pool);
  const [key = ''] = await testKeys(customer, 1);
  const [live, tried] = [harness.product.received(), sandbox.received()];
  expect(await harness.call(key)).toMatchObject({ status: 200, headers: { 'octroi-mode': 'test' } });
  expect(harness.product.received()).toBe(live);
  expect(sandbox.received()).toBe(tried + 1);
  expect((await harness.call(customer.key)).status).toBe(200);
  expect(harness.product.received()).toBe(live + 1);
});

test('all test keys of a customer share one daily cap, exact over several gateways', async () => {
  const customer = await createCustomer(harness.database.pool);
  const keys = await testKeys(customer, 6);
  const before = sandbox.received();
  const responses = await burst(keys, 100);
  expect(countStatuses(responses)).toEqual({ 200: dailyCalls, 429: 100 - dailyCalls });
  expect(sandbox.received() - before).toBe(dailyCalls);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({
    'violated-policies': ['test'],
    message: expect.stringContaining(`All ${dailyCalls} test calls`),
  });
  // Other customers still have their calls.
  const other = await createCustomer(harness.database.pool);
  expect(countStatuses(await burst(await testKeys(other, 1), 3))).toEqual({ 200: 3 });
});

test('neither a restart of a gateway, nor a new key, nor a new activation renews the daily cap', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool);
  expect(countStatuses(await burst(await testKeys(customer, 1), dailyCalls))).toEqual({ 200: dailyCalls });
  await pool.query('update activations set deleted_at = now() where id = $1', [customer.activationId]);
  const again = `${customer.activationId}2`;
  await pool.query(
    `insert into activations (id, customer_id, service_id, created_at) select $2, customer_id, 'tax-lookup', now() from activations where id = $1`,
    [customer.activationId, again],
  );
  const { key } = await addKey(pool, again, { test: true });
  const restarted = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/restarted` },
    { env, sandbox: sandbox.url, catalog: catalogWith(dailyCalls) },
  );
  expect((await harness.call(key, { url: restarted.url })).status).toBe(429);
  await restarted.close();
});

test('the daily cap restarts with the next IST day, and a gateway whose clock is behind does not reset it', async () => {
  const { pool } = harness.database;
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

test('used test calls cannot be given back', async () => {
  const { pool } = harness.database;
  await burst(await testKeys(await createCustomer(pool), 1), 2);
  await expect(pool.query('update test_calls set calls = 1')).rejects.toThrow('test calls only grow');
  await expect(pool.query('delete from test_calls')).rejects.toThrow('test calls only grow');
});

test('all test keys of a customer share one limit per second', async () => {
  const slow = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/slow` },
    { env: { TEST_KEY_RPS: '3' }, sandbox: sandbox.url, catalog: catalogWith(1000) },
  );
  const keys = await testKeys(await createCustomer(harness.database.pool), 4);
  const { admitted } = await expectLimited(3, 16, (index) => harness.call(keys[index % 4] ?? '', { url: slow.url }));
  expect(admitted).toBeGreaterThanOrEqual(3);
  await slow.close();
});

test('a test key of an API without a sandbox is refused and reaches no product', async () => {
  const customer = await createCustomer(harness.database.pool);
  const [key = ''] = await testKeys(customer, 1);
  const before = harness.product.received();
  expect(await harness.call(key, { url: bare.url })).toMatchObject({ status: 403, json: { code: 'no-sandbox' } });
  expect(harness.product.received()).toBe(before);
  expect((await harness.call(customer.key, { url: bare.url })).status).toBe(200);
});
