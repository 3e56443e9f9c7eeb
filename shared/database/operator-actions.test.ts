import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const insert = (more = '') =>
  database.pool.query(
    `insert into operator_actions (${more === '' ? '' : 'position, hash, '}actor, action, target, reason, effect)
     values (${more}'asha', 'keys.revoke', 'KEY-1', 'It leaked', '{}') returning position, hash`,
  );

test('the database chains every action of an operator, and chooses its place itself', async () => {
  expect((await insert()).rows[0]).toMatchObject({ position: 1 });
  expect((await insert(`17, decode(repeat('00', 32), 'hex'), `)).rows[0]).toMatchObject({ position: 2 });
  await Promise.all(Array.from({ length: 20 }, () => insert()));
  const { rows } = await database.pool.query(
    `select count(*) as broken from (select a as entry, a.hash, lag(a.hash, 1, decode(repeat('00', 32), 'hex')) over (order by position) as before
       from operator_actions a) s where hash <> hash_of_operator_action(before, entry)`,
  );
  expect(rows).toEqual([{ broken: 0 }]);
});

test('an action of an operator is never changed, deleted or without a reason', async () => {
  const { pool } = database.owner;
  await expect(pool.query(`update operator_actions set reason = 'none'`)).rejects.toThrow(/never changed/);
  await expect(pool.query('delete from operator_actions')).rejects.toThrow(/never changed/);
  await expect(pool.query('truncate operator_actions')).rejects.toThrow(/never emptied/);
  await expect(
    pool.query(
      `insert into operator_actions (actor, action, target, reason, effect) values ('asha', 'keys.revoke', 'KEY-1', '  ', '{}')`,
    ),
  ).rejects.toThrow(/check/);
});
