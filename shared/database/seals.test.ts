import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersSql } from './test-customers.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const seals = async () => {
  const { rows } = await database.owner.pool.query(
    'select kind, record_id, customer_id, content, fixed from record_seals order by 1, 2',
  );
  return rows;
};

test('records that were loaded without triggers get the seals that their triggers would have made', async () => {
  const { pool } = database.owner;
  await pool.query(`
    ${customersSql(`values ('CUS-A', 'a@example.com', 'A', 'A', '', '', now())`)};
    insert into profiles (customer_id, legal_name, phone, address, city, pin, state_code, updated_at)
      values ('CUS-A', 'A', '+919876543210', '14 Residency Road', 'Bengaluru', '560025', '29', now());
    insert into accountants (id, customer_id, email, asked_at) values ('ACN-A', 'CUS-A', 'b@example.com', now());
    insert into closed_series select min(name), '2025-26', now(), 'A copy of this database may have used it' from document_series_forms;
    insert into letters_of_undertaking (arn, from_date, last_date) values ('AD290326000001A', '2026-04-01', '2027-03-31')`);
  const made = await seals();
  const kinds = ['accountants', 'closed_series', 'customers', 'document_series_forms', 'members', 'profiles'];
  expect(made.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
  await pool.query('select seal_unsealed()');
  expect(await seals()).toEqual(made);
  await pool.query(`set session_replication_role = replica; delete from record_seals; reset session_replication_role`);
  await pool.query('select seal_unsealed()');
  expect(await seals()).toEqual(made);
});
