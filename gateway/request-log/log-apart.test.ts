import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { openLogReader } from '#shared/request-log/open.ts';
import { createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';

let apart: TestDatabase;
let harness: Harness;
beforeAll(async () => {
  apart = await createTestDatabase('empty');
  harness = await openHarness({ env: { REQUEST_LOG_URL: apart.owner.databaseUrl } });
});
afterAll(async () => {
  await harness.close();
  await apart.close();
});

test('while a log in a place of its own is away, calls are served and counted, and are logged when it is back', async () => {
  const { activationId, key } = await createCustomer(harness.database.pool, { daily: 100 });
  const reader = await openLogReader(apart.owner.databaseUrl, 'octroi test log');
  const logged = async () => (await reader.page(activationId, {}, { after: undefined, limit: 50 })).calls.length;
  const counted = async () => {
    const { rows } = await harness.database.pool.query<{ calls: number }>(
      'select coalesce(sum(calls), 0)::int as calls from usage_counts where activation_id = $1',
      [activationId],
    );
    return rows[0]?.calls;
  };
  const call = async () => (await harness.call(key)).status;

  // Before a portal has made its table.
  expect([await call(), await call()]).toEqual([200, 200]);
  await expect.poll(counted).toBe(2);
  await reader.prepare('2026-11-23');
  await expect.poll(logged).toBe(2);

  await apart.owner.pool.query('alter table request_log rename to gone');
  expect([await call(), await call(), await call()]).toEqual([200, 200, 200]);
  await expect.poll(counted).toBe(5);
  // From where a key is used is in the database, and written all the same.
  const clients = await harness.database.pool.query('select from key_clients');
  expect(clients.rowCount).toBe(1);
  await apart.owner.pool.query('alter table gone rename to request_log');
  await expect.poll(logged).toBe(5);
  expect(await harness.database.pool.query('select from request_log')).toMatchObject({ rowCount: 0 });
  await reader.close();
});
