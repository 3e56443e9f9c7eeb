import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { takeQuota } from '#gateway/quota/store.ts';
import { useSingleConnection } from '#gateway/test/single-connection.ts';
import { createCustomer, usageOf } from '#gateway/test/world.ts';
import { countIdempotent } from './store.ts';

const openedPool = useSingleConnection();

/** A request id from a name of at most ten letters. */
const idOf = (name: string): string => `req_${name.padEnd(10, '_')}-0000000000`;

/** A customer whose calls with one Idempotency-Key are decided under short names; `counted` are its calls. */
async function openDecisions() {
  const pool = openedPool();
  const day = dayOf(Date.now());
  const journalId = randomUUID();
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
  const send = async (name: string, response: string | null, broken = false): Promise<boolean> => {
    const call = { ...kind, id: idOf(name), response, broken, keyHash: '0'.repeat(64), startedAt: new Date() };
    return (await countIdempotent(pool, journalId, [call])).has(call.id);
  };
  return {
    activationId,
    send,
    decide: (name: string, first: string) => send(name, idOf(first)),
    breakOff: (name: string) => send(name, idOf(name), true),
    counted: async () => (await usageOf(pool, activationId)).counted,
  };
}

test('a response stays counted if its call breaks off after a replay of it was free', async () => {
  const { decide, breakOff, counted } = await openDecisions();
  expect(await decide('first', 'first')).toBe(true);
  expect(await decide('replay', 'first')).toBe(false);
  await breakOff('first');
  expect(await counted()).toBe(1);
  expect(await decide('later', 'first')).toBe(false);
  expect(await counted()).toBe(1);
  // This response had no replay: its count is undone, and its first replay counts.
  expect(await decide('second', 'second')).toBe(true);
  await breakOff('second');
  expect(await counted()).toBe(1);
  expect(await decide('again', 'second')).toBe(true);
  expect(await counted()).toBe(2);
});

/** Too long for an index, also when it is compressed. */
const longName = Array.from({ length: 100 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('base64'),
).join('');

test.each([longName, 'order-1', `${idOf('first')} `, ''])(
  'a replay that names no request id is found by its key: %.10s',
  async (name) => {
    const { send, counted } = await openDecisions();
    expect(await send('replay', name)).toBe(true);
    expect(await send('other', name)).toBe(false);
    expect(await counted()).toBe(1);
  },
);

test('the database stores counted responses under request ids only', async () => {
  const { activationId } = await openDecisions();
  await expect(
    openedPool().query(
      `insert into counted_responses (activation_id, response_id, key_hash, counted_by, awaits_first)
       values ($1, 'order-1', sha256('a'), 'order-1', false)`,
      [activationId],
    ),
  ).rejects.toThrow('counted_responses_response_id_check');
});
