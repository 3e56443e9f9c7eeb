import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { changeAccessOf, revokeKey } from '#gateway/test/access.ts';
import { addKey, createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';
import { createLog } from '#shared/platform/log.ts';

let harness: Harness;
let second: Gateway;
const warnings: string[] = [];
beforeAll(async () => {
  const log = createLog('test', { level: 'warn', destination: { write: (line) => void warnings.push(line) } });
  harness = await openHarness({ log });
  second = await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/second` });
});
afterAll(async () => {
  await second.close();
  await harness.close();
});

test('under load, no gateway accepts a call that starts after revokeKey() has returned', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1_000_000, monthly: 1_000_000 });
  const urls = [harness.gateway.url, second.url];
  for (let round = 0; round < 40; round += 1) {
    const { key, keyId } = await addKey(harness.database.pool, customer.activationId);
    let revoked = false;
    let accepted = 0;
    let late = 0;
    const caller = async (url: string): Promise<void> => {
      for (let calls = 0; calls < 500; calls += 1) {
        const startedAfter = revoked;
        const { status } = await harness.call(key, { url });
        if (status === 200) accepted += 1;
        if (status === 200 && startedAfter) late += 1;
        if (startedAfter) return;
      }
    };
    const callers = [...urls, ...urls, ...urls].map(caller);
    await vi.waitUntil(() => accepted >= 6, { interval: 1, timeout: 60_000 });
    expect(await revokeKey(harness.database, customer.activationId, keyId)).toBe(true);
    revoked = true;
    await Promise.all(callers);
    expect(late).toBe(0);
  }
});

test('a key works as soon as it is announced, even if a gateway had cached it as unknown', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool);
  const { key, keyId } = await addKey(pool, customer.activationId);
  await pool.query('update api_keys set activation_id = activation_id where id = $1', [keyId]);
  const stored = await pool.query('delete from api_keys where id = $1 returning *', [keyId]);
  expect((await harness.call(key)).status).toBe(401);
  await changeAccessOf(harness.database, customer.activationId, (tx) =>
    tx.insertInto('api_keys').values(stored.rows[0]).execute(),
  );
  expect((await harness.call(key)).status).toBe(200);
});

test('a gateway that lost its listening connection queries the database, delays changes only briefly, and reconnects', async () => {
  const { db, pool } = harness.database;
  const customer = await createCustomer(pool);
  expect((await harness.call(customer.key)).status).toBe(200);
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octroi gateway listener' and datname = current_database()`;
  await pool.query('update api_keys set revoked_at = now() where id = $1', [customer.keyId]);
  warnings.length = 0;
  await end.execute(db);
  // PostgreSQL only signals its process, so the gateway learns of it a moment later.
  await vi.waitUntil(() => warnings.some((line) => line.includes('lost the connection that listens')), {
    interval: 1,
    timeout: 60_000,
  });
  expect((await harness.call(customer.key)).status).toBe(401);
  expect(await changeAccessOf(harness.database, customer.activationId, async () => {})).toBe(true);
  for (const url of [harness.gateway.url, second.url])
    await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(200);
});

/** Waits until every gateway has renewed its lease. */
async function untilRenewed(): Promise<void> {
  const before = await harness.database.pool.query<{ latest: string }>(
    'select max(lease_until)::text as latest from gateways',
  );
  const old = () =>
    harness.database.pool.query('select 1 from gateways where lease_until <= $1::timestamptz', [
      before.rows[0]?.latest,
    ]);
  await expect.poll(async () => (await old()).rows).toEqual([]);
}

test('a gateway confirms a change only after its notification has arrived', async () => {
  const { pool } = harness.database;
  // Changed in the future, so that no gateway takes its notification for lost and reconnects.
  const raised = await pool.query<{ version: number }>(
    `insert into access_changes (changed_at) values (clock_timestamp() + interval '1 hour')
     returning version`,
  );
  const version = raised.rows[0]?.version ?? 0;
  await untilRenewed();
  const seen = await pool.query<{ seen: number }>('select max(seen_version) as seen from gateways');
  expect(seen.rows[0]?.seen).toBeLessThan(version);
  await pool.query(`select pg_notify('access', 'barrier ' || $1::text)`, [version]);
  const behind = () => pool.query('select 1 from gateways where seen_version < $1', [version]);
  await expect.poll(async () => (await behind()).rows).toEqual([]);
});

test('a dead gateway delays a change by no more than its lease', async () => {
  const { pool } = harness.database;
  const { activationId } = await createCustomer(pool);
  await pool.query(`insert into journals (id, position) values ('dead', 0)`);
  const started = performance.now();
  await pool.query(
    `insert into gateways (journal_id, started_at, lease_until) values ('dead', now(), clock_timestamp() + interval '700 ms')`,
  );
  // True only when the lease was seen to end; otherwise the wait itself would have ended, with false.
  expect(await changeAccessOf(harness.database, activationId, async () => {})).toBe(true);
  expect(performance.now() - started).toBeGreaterThan(600);
  await pool.query(`delete from gateways where journal_id = 'dead'`);
});
