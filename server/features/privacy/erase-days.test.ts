import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersSql } from '#shared/database/test-customers.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { eraseRest } from './erase.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

test('erasing a customer leaves the calls that others made on other days', async () => {
  const { pool, db } = database;
  await postgresReader(db).prepare('2026-11-23');
  for (const [n, day] of [
    [1, '2026-11-22'],
    [2, '2026-11-23'],
    [1, '2026-11-24'],
  ] as const) {
    await pool.query(
      customersSql(`values ('CUS-' || $1::text, 'a@b.example', 'A', 'A', 'A', '', now()) on conflict do nothing`),
      [String(n)],
    );
    await pool.query(
      `insert into activations (id, customer_id, service_id, created_at)
       values ('ACT-' || $1::text, 'CUS-' || $1::text, 'tax-lookup-api', now()) on conflict do nothing`,
      [String(n)],
    );
    await pool.query(
      `insert into request_log (id, activation_id, key_id, day, test, from_at, to_at, calls, counted, statuses, dictionary, records)
       select $1, 'ACT-' || $2::text, 'KEY-1', $3, false, at, at, 1, 1, '{200}', 'GET / 200 1 answered', decode(repeat('01', 25), 'hex')
       from (select ($3::date + time '12:00') at time zone 'Asia/Kolkata' as at) noon`,
      [randomUUID(), String(n), day],
    );
  }
  const { rows } = await pool.query<{ places: number }>('select count(distinct ctid)::int as places from request_log');
  expect(rows).toEqual([{ places: 1 }]);
  expect(await eraseRest(db, { customerId: 'CUS-1' })).toBe(2);
  const left = await pool.query('select activation_id from request_log');
  expect(left.rows).toEqual([{ activation_id: 'ACT-2' }]);
});
