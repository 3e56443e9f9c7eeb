import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, readMigrations } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
});
afterAll(() => database.close());

test('events sent before the table of event keys existed are not sent again', async () => {
  const all = readMigrations();
  const first = all.findIndex(({ name }) => name === '027-event-keys.sql');
  await migrate(database.databaseUrl, all.slice(0, first));
  const { pool } = database;
  await pool.query(`
    insert into customers (id, google_sub, email, name, given_name, family_name, picture, created_at)
      values ('CUS-1', '1', 'a@example.com', 'A', 'A', '', '', now());
    insert into mails (id, occasion, customer_id, recipient, subject, body_text, body_html, created_at)
      values ('MSG-1', 'paid:pay_1', 'CUS-1', 'a@example.com', 's', 't', 'h', '2026-11-01'),
        ('MSG-2', 'failed:pay_2', 'CUS-1', 'a@example.com', 's', 't', 'h', '2026-11-02');
    insert into webhook_events (id, customer_id, occasion, type, body, created_at)
      values ('EVT-1', 'CUS-1', 'failed:pay_2', 'payment.failed', '{}', '2026-11-02'),
        ('EVT-2', 'CUS-1', 'activated:CYC-1', 'cycle.activated', '{}', '2026-11-03'),
        ('EVT-3', 'CUS-1', 'EVT-9', 'webhook.test', '{}', '2026-11-04');`);
  await migrate(database.databaseUrl, all);
  const { rows } = await pool.query('select dedupe_key, customer_id from event_keys order by 1');
  expect(rows).toEqual(
    ['activated:CYC-1', 'failed:pay_2', 'paid:pay_1'].map((key) => ({ dedupe_key: key, customer_id: 'CUS-1' })),
  );
  // A mail is kept as long as its event's key, and none is written without one.
  await pool.query(`delete from event_keys where dedupe_key = 'paid:pay_1'`);
  expect((await pool.query('select id from mails')).rows).toEqual([{ id: 'MSG-2' }]);
  await expect(pool.query(`update mails set dedupe_key = 'other'`)).rejects.toThrow('mails_dedupe_key_fkey');
});
