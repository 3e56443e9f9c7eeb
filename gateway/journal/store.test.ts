import { expect, test } from 'vitest';
import { dayOf } from '#domain/day.ts';
import { takeQuota } from '#gateway/quota/store.ts';
import { useSingleConnection } from '#gateway/test/single-connection.ts';
import { createCustomer } from '#gateway/test/world.ts';
import { countIdempotent } from './store.ts';

const openedPool = useSingleConnection();

test('a response stays counted if its call breaks off after a replay of it was free', async () => {
  const pool = openedPool();
  const day = dayOf(Date.now());
  const journalId = 'journal-replays';
  await pool.query('insert into journals (id, position) values ($1, 0)', [journalId]);
  const { activationId, cycleId, keyId } = await createCustomer(pool, { daily: 100 });
  await takeQuota(pool, journalId, {
    activationId,
    cycleId,
    day,
    keyId: '',
    wanted: 4,
    least: 1,
    needed: 1,
    recall: `${journalId}/0`,
  });
  const kind = { activation: activationId, cycle: cycleId, key: keyId, lease: '', day, class: 2, units: 1 };
  const decide = async (id: string, response: string, broken = false) => [
    ...(await countIdempotent(pool, journalId, [
      { ...kind, id, response, broken, keyHash: '0'.repeat(64), startedAt: new Date() },
    ])),
  ];
  const counted = async () => {
    const { rows } = await pool.query<{ calls: string }>(
      'select sum(calls) as calls from usage_counts where activation_id = $1 and counted',
      [activationId],
    );
    return Number(rows[0]?.calls);
  };
  expect(await decide('first', 'first')).toEqual(['first']);
  expect(await decide('replay', 'first')).toEqual([]);
  await decide('first', 'first', true);
  expect(await counted()).toBe(1);
  expect(await decide('later', 'first')).toEqual([]);
  expect(await counted()).toBe(1);
  // This response had no replay: its count is undone, and its first replay counts.
  expect(await decide('second', 'second')).toEqual(['second']);
  await decide('second', 'second', true);
  expect(await counted()).toBe(1);
  expect(await decide('again', 'second')).toEqual(['again']);
  expect(await counted()).toBe(2);
});
