import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase('empty')));
afterAll(() => database.close());

const value = async (expression: string) => {
  const found = await database.pool.query<{ value: unknown }>(`select ${expression} as value`);
  return found.rows[0]?.value;
};

test.each([
  ['9007199254740991::bigint', 9_007_199_254_740_991],
  ['(select sum(n) from generate_series(1, 3) n)::numeric', 6],
  ["date '2026-03-31'", '2026-03-31'],
  ["array[date '2026-03-31', null]", ['2026-03-31', null]],
  ['array[1, 2]::bigint[]', [1, 2]],
  ["'{}'::bigint[]", []],
  ["timestamptz '2026-03-31 00:00:00+05:30'", new Date('2026-03-30T18:30:00Z')],
])('%s is parsed correctly', async (expression, expected) => {
  expect(await value(expression)).toEqual(expected);
});

test.each(['9007199254740993::bigint', '-9007199254740993::numeric', 'array[9007199254740993::bigint]'])(
  '%s is refused instead of being rounded',
  async (expression) => {
    await expect(value(expression)).rejects.toThrow('cannot represent exactly');
  },
);

test('a connection that the server closes is reported, and the pool continues', async () => {
  const lost: string[] = [];
  const other = connect(database.databaseUrl, {
    applicationName: 'octroi lost',
    onConnectionLost: (error) => void lost.push(error.message),
  });
  await other.pool.query('select 1');
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octroi lost'`,
  );
  await expect.poll(() => lost.length).toBe(1);
  expect(lost[0]).toContain('terminating connection');
  expect((await other.pool.query('select 1')).rowCount).toBe(1);
  await other.close();
});

test('a statement that takes too long is cancelled', async () => {
  const hasty = connect(database.databaseUrl, { applicationName: 'octroi hasty', statementTimeoutMs: 50 });
  await expect(hasty.pool.query('select pg_sleep(5)')).rejects.toThrow('statement timeout');
  await hasty.close();
});
