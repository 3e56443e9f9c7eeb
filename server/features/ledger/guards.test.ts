import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#shared/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { readGuards } from './guards.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const read = () => database.db.transaction().execute((tx) => readGuards(tx));
const replace = `create or replace function refuse_truncate() returns trigger language plpgsql as $$ begin return null; end $$`;

const later = `comment on function refuse_truncate() is 'octroi 99.0.0 ${'0'.repeat(64)}'`;
const changed = 'is not the one of this version';

test('functions of a later version are no fault beside it, during an upgrade; others are', async () => {
  const { pool } = database.owner;
  expect(await read()).toEqual({ faults: [], newer: [] });
  await pool.query(`begin; ${replace}; ${later}; commit`);
  expect(await read()).toEqual({ faults: [], newer: ['function refuse_truncate() from Octroi 99.0.0'] });
  await pool.query(`begin; ${replace}; comment on function refuse_truncate() is null; commit`);
  expect(await read()).toEqual({ faults: [`function refuse_truncate() ${changed}`], newer: [] });
});

test('beside a function or a migration of a later version, everything else is compared', async () => {
  const { pool } = database.owner;
  await pool.query(`begin; ${later}; ${replace.replace('refuse_truncate', 'never_change')};
    alter table refunds add column note text; drop trigger sealed on refunds; commit`);
  const newer = ['function refuse_truncate() from Octroi 99.0.0'];
  expect(await read()).toEqual({
    faults: [`table refunds ${changed}`, `function never_change() ${changed}`, 'trigger sealed of refunds is missing'],
    newer,
  });
  await pool.query(`insert into schema_migrations (name, checksum) values ('001-later.sql', 'x')`);
  expect(await read()).toEqual({
    faults: [`function never_change() ${changed}`],
    newer: ['the migration 001-later.sql', ...newer],
  });
});

test('what was changed or switched off by hand is put in again by octroi migrate, although its comment names this version', async () => {
  const own = await createTestDatabase();
  const readOwn = () => own.db.transaction().execute((tx) => readGuards(tx));
  try {
    await own.owner.pool.query(`${replace}; alter table refunds disable trigger refunds_are_due;
      create or replace view cycle_payments as ${await definitionOf(own, 'cycle_payments')} limit 1000000`);
    expect((await readOwn()).faults).toHaveLength(3);
    expect((await migrate(own.owner.databaseUrl)).toSorted()).toEqual([
      'function refuse_truncate()',
      'trigger refunds_are_due on refunds',
      'view cycle_payments',
    ]);
    expect(await readOwn()).toEqual({ faults: [], newer: [] });
    expect(await migrate(own.owner.databaseUrl)).toEqual([]);
  } finally {
    await own.close();
  }
});

async function definitionOf({ owner }: TestDatabase, view: string): Promise<string> {
  const { rows } = await owner.pool.query<{ text: string }>('select pg_get_viewdef($1::regclass) as text', [view]);
  return (rows[0]?.text ?? '').replace(/;$/, '');
}
