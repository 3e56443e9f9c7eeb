import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { readGuards } from './guards.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const read = () => database.db.transaction().execute((tx) => readGuards(tx));
const replace = `create or replace function refuse_truncate() returns trigger language plpgsql as $$ begin return null; end $$`;

test('functions of a later version are no fault beside it, during an upgrade; others are', async () => {
  const { pool } = database.owner;
  expect(await read()).toEqual({ faults: [], newer: [] });
  await pool.query(
    `begin; ${replace}; comment on function refuse_truncate() is 'octroi 99.0.0 ${'0'.repeat(64)}'; commit`,
  );
  expect(await read()).toEqual({ faults: [], newer: ['functions of Octroi 99.0.0'] });
  await pool.query(`begin; ${replace}; comment on function refuse_truncate() is null; commit`);
  expect(await read()).toEqual({ faults: [expect.stringContaining('function refuse_truncate()')], newer: [] });
});
