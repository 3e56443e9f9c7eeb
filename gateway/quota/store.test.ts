import { expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { countCalls } from '#gateway/journal/store.ts';
import { useSingleConnection } from '#gateway/test/single-connection.ts';
import { createCustomer } from '#gateway/test/world.ts';
import { releaseQuota, takeQuota } from './store.ts';

const openedPool = useSingleConnection();

test('takes, counts and releases for one customer without sequential scans', async () => {
  const pool = openedPool();
  const day = dayOf(Date.now());
  const journalId = 'journal-plans';
  await pool.query('insert into journals (id, position) values ($1, 0)', [journalId]);
  for (let index = 0; index < 60; index += 1) {
    const { activationId, cycleId, keyId } = await createCustomer(pool, { daily: 100 });
    const request = {
      activationId,
      cycleId,
      day,
      keyId: '',
      wanted: 4,
      least: 1,
      needed: 1,
      recall: `${journalId}/${index}`,
    };
    const grant = await takeQuota(pool, journalId, request);
    expect(grant?.granted).toBe(4);
    const tally = {
      activation: activationId,
      cycle: cycleId,
      key: keyId,
      lease: '',
      day,
      counted: true,
      units: 1,
      calls: 1,
    };
    await countCalls(pool, journalId, index, index + 1, [{ ...tally, class: 2, lastMs: Date.now() }]);
    await releaseQuota(pool, journalId, [{ activation: activationId, cycle: cycleId, day, key: '', keep: 0 }]);
  }
  await pool.query('select pg_stat_force_next_flush()');
  const read = await pool.query(
    `select relname, seq_tup_read from pg_stat_user_tables
     where relname in ('quota_counters', 'leases', 'usage_counts', 'cycles') and seq_tup_read > 0`,
  );
  expect(read.rows).toEqual([]);
});
