import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { condition, countRows, databaseTime, later, leastOf, sumOf, transactionTime } from './expressions.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('gateways')
    .values(
      [1, 2, 3].map((version) => ({
        journal_id: `journal-${version}`,
        started_at: new Date('2026-11-01T00:00:00Z'),
        lease_until: new Date('2026-11-02T00:00:00Z'),
        seen_version: version,
        unconfirmed_changes: 2,
      })),
    )
    .execute();
});
afterAll(() => database.close());

const gateways = () => database.db.selectFrom('gateways');

test('counts and sums are numbers, also over no rows', async () => {
  const query = gateways().select((gateway) => [
    countRows().as('all'),
    countRows(gateway('seen_version', '>', 1)).as('some'),
    sumOf(gateway.ref('seen_version')).as('sum'),
    sumOf(gateway.ref('seen_version'), gateway('seen_version', '>', 1)).as('partial'),
    leastOf(gateway.ref('started_at')).as('first'),
  ]);
  expect(await query.executeTakeFirst()).toEqual({
    all: 3,
    some: 2,
    sum: 6,
    partial: 5,
    first: new Date('2026-11-01T00:00:00Z'),
  });
  const none = await query.where('journal_id', '=', 'nobody').executeTakeFirst();
  expect(none).toEqual({ all: 0, some: 0, sum: 0, partial: 0, first: null });
});

test('times are dates, and intervals add to them', async () => {
  const [row] = await gateways()
    .select((gateway) => [
      databaseTime.as('now'),
      transactionTime.as('begun'),
      later(gateway.ref('lease_until'), 1500).as('later'),
      later(gateway.ref('lease_until'), -1).as('earlier'),
    ])
    .execute();
  expect(row?.now).toBeInstanceOf(Date);
  expect(row?.begun).toBeInstanceOf(Date);
  expect(row?.later).toEqual(new Date('2026-11-02T00:00:01.500Z'));
  expect(row?.earlier).toEqual(new Date('2026-11-01T23:59:59.999Z'));
});

test('a condition selects rows, and PostgreSQL rejects one that is not boolean', async () => {
  const least = 2;
  const found = await gateways()
    .select('journal_id')
    .where(condition`seen_version % ${least} = 0`)
    .execute();
  expect(found).toEqual([{ journal_id: 'journal-2' }]);
  await expect(
    gateways()
      .selectAll()
      .where(condition`seen_version`)
      .execute(),
  ).rejects.toThrow('boolean');
});

const read = (column: string) => database.pool.query(`select ${column} as version from gateways order by 1 limit 1`);

test('rejects rows of a raw statement that do not match their schema', async () => {
  const row = z.object({ version: z.number() });
  expect(checkedRows(row, await read('seen_version'))).toEqual([{ version: 1 }]);
  await expect(read('journal_id').then((result) => checkedRows(row, result))).rejects.toThrow('expected number');
});

test('a list may be empty, or longer than a statement can have parameters, and of any type', async () => {
  const many = Array.from({ length: 70_000 }, (_, index) => `journal-${index + 2}`);
  const idsOf = async (query: ReturnType<typeof gateways>) =>
    (await query.select('journal_id').orderBy('journal_id').execute()).map((row) => row.journal_id);
  expect(await idsOf(gateways().where('journal_id', 'in', many))).toEqual(['journal-2', 'journal-3']);
  expect(await idsOf(gateways().where('journal_id', 'not in', many))).toEqual(['journal-1']);
  expect(await idsOf(gateways().where('journal_id', 'in', []))).toEqual([]);
  expect(await idsOf(gateways().where('journal_id', 'not in', []))).toHaveLength(3);
  expect(await idsOf(gateways().where('seen_version', 'in', [1, 3]))).toEqual(['journal-1', 'journal-3']);
  expect(await idsOf(gateways().where('lease_until', 'in', [new Date('2026-11-02T00:00:00Z')]))).toHaveLength(3);

  const nonce = { nonce_hash: Buffer.alloc(32, Buffer.of(0, 92, 255)), expires_at: new Date('2026-11-02T00:00:00Z') };
  await database.db.insertInto('sign_in_nonces').values(nonce).execute();
  const nonces = database.db.selectFrom('sign_in_nonces').selectAll();
  expect(await nonces.where('nonce_hash', 'in', [nonce.nonce_hash, Buffer.of(1)]).execute()).toEqual([nonce]);
});
