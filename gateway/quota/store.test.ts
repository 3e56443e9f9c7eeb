import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '#database/clients.ts';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { valueParsers } from '#database/value-parsers.ts';
import { dayOf } from '#domain/day.ts';
import { countCalls } from '#gateway/journal/store.ts';
import { createCustomer } from '#gateway/test/world.ts';
import { releaseQuota, takeQuota } from './store.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that its own statistics can be flushed before they are read.
  pool = openPool({ connectionString: database.databaseUrl, max: 1, types: valueParsers }, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

test('takes, counts and releases for one customer without sequential scans', async () => {
  const day = dayOf(Date.now());
  const journalId = 'journal-plans';
  await pool.query('insert into journals (id, position) values ($1, 0)', [journalId]);
  for (let index = 0; index < 60; index += 1) {
    const { activationId, cycleId, keyId } = await createCustomer(pool, { daily: 100 });
    const request = { activationId, cycleId, day, keyId: '', wanted: 4, needed: 1, recall: `${journalId}/${index}` };
    const grant = await takeQuota(pool, journalId, request);
    expect(grant?.granted).toBe(4);
    const tally = { activation: activationId, cycle: cycleId, key: keyId, lease: '', day, counted: true, calls: 1 };
    await countCalls(pool, journalId, index, index + 1, [{ ...tally, class: 2, lastMs: Date.now() }]);
    await releaseQuota(pool, journalId, [{ activation: activationId, cycle: cycleId, day, key: '', keep: 0 }]);
  }
  await pool.query('select pg_stat_force_next_flush()');
  const read = await pool.query(
    `select relname, seq_tup_read from pg_stat_user_tables
     where relname in ('quota_days', 'quota_cycles', 'leases', 'usage_counts', 'cycles') and seq_tup_read > 0`,
  );
  expect(read.rows).toEqual([]);
});
