import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { customersSql } from '#shared/database/test-customers.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { plansOf } from '#shared/database/test-plans.ts';
import { findCustomers } from './customers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database.owner;
  await database.owner.pool.query(
    customersSql(`select 'CUS-' || n, 'p' || n || '@kosi.example', case n when 9 then 'Asha' else 'Asha Rao ' || n end, 'Asha', 'Rao', '',
      now() - interval '1 year' + n * interval '1 minute' from generate_series(1, 4000) n`),
  );
  await sql`insert into profiles (customer_id, legal_name, phone, gstin, address, city, pin, state_code, updated_at)
    select 'CUS-' || n, 'Kosi Foods ' || n, '+91 ' || 90000 + n / 100 || '-' || 10000 + n, '29AAB' || chr(65 + n % 26) || 'Q' || 1000 + n || 'F1Z5', 'Road 1',
      'Bengaluru', '560025', '29', now() from generate_series(1, 4000) n where n <> 7`.execute(db);
  // New rows of a trigram index lie in a list that is read as a whole, until the table is vacuumed.
  await sql`vacuum analyze customers, profiles`.execute(db);
});
afterAll(() => database.close());

const clock = () => Date.now();
const find = async (text: string, db = database.db): Promise<string[]> => {
  const { customers } = await findCustomers({ db, clock, requestLog: postgresReader(db) }, text, { limit: 50 });
  return customers.map(({ id }) => id);
};

test('of a text that all have, the newest customers are found, and those named by it as a whole first', async () => {
  const found = await find('asha');
  expect(found).toHaveLength(50);
  expect(found.slice(0, 3)).toEqual(['CUS-9', 'CUS-4000', 'CUS-3999']);
  expect(await find('Kosi Foods 12')).toHaveLength(50);
  expect((await find('Kosi Foods 12'))[0]).toBe('CUS-12');
});

test('those that many have come in pages, each customer once, to the last one', async () => {
  const source = { db: database.db, clock, requestLog: postgresReader(database.db) };
  const seen: string[] = [];
  for (let after: string | undefined = undefined; ;) {
    const page = await findCustomers(source, 'asha', { after, limit: 1000 });
    seen.push(...page.customers.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  expect(seen).toHaveLength(4000);
  expect(new Set(seen).size).toBe(4000);
  expect([seen[0], seen[1], seen.at(-1)]).toEqual(['CUS-9', 'CUS-4000', 'CUS-1']);
});

test('quotes and dashes are found however they are typed, and signs of a pattern are no more than themselves', async () => {
  const name = 'Mehta–D’Souza “Exports” 100%';
  await sql`update profiles set legal_name = ${name} where customer_id = 'CUS-77'`.execute(database.owner.db);
  for (const text of ["mehta-d'souza", 'D`SOUZA "exports"', '100%']) expect(await find(text), text).toEqual(['CUS-77']);
  for (const text of ['d.souza', 'd%souza']) expect(await find(text), text).toEqual([]);
});

test('accents are found however they are typed and stored, as signs of their own too', async () => {
  const { db } = database.owner;
  await sql`update members set name = 'Zoë Café' where customer_id = 'CUS-78'`.execute(db);
  await sql`update profiles set legal_name = 'Cafe\u0301 Śrī Ltd' where customer_id = 'CUS-79'`.execute(db);
  for (const text of ['café', 'CAFE', 'cafe\u0301']) expect(await find(text), text).toEqual(['CUS-79', 'CUS-78']);
  for (const text of ['zoe cafe', 'Zoé Cafe']) expect(await find(text), text).toEqual(['CUS-78']);
  expect(await find('sri ltd')).toEqual(['CUS-79']);
});

test('a customer behind thousands of newer ones is found by anything that names it alone', async () => {
  for (const text of ['p12@kosi', 'Asha Rao 1212', '+91 90012 11212', '9001211212', '29AABQQ2212'])
    expect(await find(text), text).toContain(text.includes('p12') ? 'CUS-12' : 'CUS-1212');
});

test('a customer without business details is found by name and address', async () => {
  expect(await find('p7@kosi.example')).toEqual(['CUS-7']);
});

const planOf = async (text: string): Promise<string> =>
  (await plansOf(database, (db) => find(text, db), { wholeTables: false })).join('\n');

test.each([
  'p12@kosi.example',
  'Asha Rao 1212',
  'Aśhá Café',
  '29AABQQ2212F1Z5',
  '29ZZZCA0001A1Z0',
  '+91 90012 11212',
  'Invoice OCT/26-27/000012',
  'HDFC000000012',
  'pay_12',
  'order_12',
  'RFD-12',
  'ACT-12',
  'SUP-12',
  'gstk_live_abcd',
])('no table is read as a whole to find %s', async (text) => {
  expect(await planOf(text)).not.toContain('Seq Scan');
});

test('a part of each text that names a customer is looked up by its trigrams', async () => {
  const plan = await planOf('900121121');
  for (const column of ['customers_email', 'customers_name', 'profiles_legal_name', 'profiles_gstin', 'profiles_phone'])
    expect(plan).toContain(`${column}_part`);
});
