import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { giveNumber, lastNumber } from '#products/store/numbers.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTestInvoicing, testNow } from '#products/test-products.ts';

let database: TestDatabase;
let stores: [Store, Store];
let server: ProductServer;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  const open = () => openStore(database.databaseUrl, () => undefined);
  // Two processes of the products share one database.
  stores = [open(), open()];
  await stores[0].transaction((client) => client.query('select'));
  server = await createTestInvoicing({ store: stores[0] });
});
afterAll(async () => {
  await server.close();
  await Promise.all(stores.map((store) => store.close()));
  await database.close();
});
beforeEach(() => database.pool.query('truncate products.series, products.numbers, products.answers'));

const series = { series: 'TPX', documentType: 'INV', date: '2026-11-02' } as const;
const give = (activation: string, askedBy: string, { store = stores[0], startAt = 1 } = {}) =>
  giveNumber(store, { ...series, customer: 'CUS-1', activation }, { askedBy, startAt, digits: 6 }, testNow());
const last = (activation: string) => lastNumber(stores[0], { ...series, customer: 'CUS-1', activation });

/** What the version before writes when an activation asks for its next numbers. */
async function giveAsBefore(activation: string, first: number, end: number, name = 'TPX'): Promise<void> {
  await database.pool.query(
    `insert into products.series values ($1, $2, 'INV', '2026-27', $3)
     on conflict (caller, series, document_type, financial_year) do update set last_sequence = excluded.last_sequence`,
    [activation, name, end],
  );
  await database.pool.query(
    `insert into products.numbers select $1, $2, 'INV', '2026-27', n, $2 || '/26-27/' || lpad(n::text, 6, '0'), $2 || n, now()
     from generate_series($3::bigint, $4) n`,
    [activation, name, first, end],
  );
}

async function counter(caller: string, name = 'TPX'): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ last: number }>(
    'select last_sequence::int as last from products.series where caller = $1 and series = $2',
    [caller, name],
  );
  return rows[0]?.last;
}

test('a series goes on when its API is deleted and activated again; test calls have their own', async () => {
  const post = async (activation: string, key: string, more: Record<string, string> = {}) => {
    const headers = { 'x-octroi-customer': 'CUS-1', 'x-octroi-activation': activation, 'idempotency-key': key };
    const payload = { series: 'TPX', date: '2026-11-02' };
    const reply = await server.inject({
      method: 'POST',
      url: '/v1/numbers',
      payload,
      headers: { ...headers, ...more },
    });
    return reply.json<{ number: string }>().number;
  };
  expect(await post('ACT-1', 'k1')).toBe('TPX/26-27/000001');
  expect(await post('ACT-2', 'k2')).toBe('TPX/26-27/000002');
  expect(await post('ACT-2', 'k1')).toBe('TPX/26-27/000003');
  expect(await post('ACT-2', 'k3', { 'x-octroi-test': 'true' })).toBe('TPX/26-27/000001');
  expect(await post('ACT-3', 'k3', { 'x-octroi-customer': 'CUS-2' })).toBe('TPX/26-27/000001');
  const url = '/v1/numbers?series=TPX&date=2026-11-02';
  const headers = { 'x-octroi-customer': 'CUS-1', 'x-octroi-activation': 'ACT-9' };
  expect((await server.inject({ url, headers })).json()).toMatchObject({ last: { number: 'TPX/26-27/000003' } });
});

test('the counters of an activation go to its customer when it asks for a number of one series', async () => {
  await giveAsBefore('ACT-1', 1, 7);
  await giveAsBefore('ACT-1', 1, 3, 'OTHER');
  expect(await give('ACT-1', 'next')).toMatchObject({ sequence: 8 });
  expect(await give('ACT-1', 'TPX5')).toMatchObject({ sequence: 5 });
  expect(await give('ACT-2', 'further')).toMatchObject({ sequence: 9 });
  expect(await counter('CUS-1', 'OTHER')).toBe(3);
});

test('reading the last number of a series is enough for that', async () => {
  await giveAsBefore('ACT-1', 1, 7);
  expect(await last('ACT-1')).toMatchObject({ sequence: 7 });
  expect(await last('ACT-2')).toMatchObject({ sequence: 7 });
  expect(await give('ACT-2', 'next', { startAt: 500 })).toMatchObject({ sequence: 8 });
});

test('of two activations with the same series, the larger counter goes on, and repeats of both find their numbers', async () => {
  await giveAsBefore('ACT-1', 1, 3);
  await giveAsBefore('ACT-2', 1, 7);
  expect(await give('ACT-1', 'a')).toMatchObject({ sequence: 4 });
  expect(await give('ACT-2', 'b')).toMatchObject({ sequence: 8 });
  expect(await give('ACT-1', 'c')).toMatchObject({ sequence: 9 });
  expect(await last('ACT-2')).toMatchObject({ sequence: 9 });
  for (const activation of ['ACT-1', 'ACT-2']) expect(await give(activation, 'TPX2')).toMatchObject({ sequence: 2 });
  expect(await give('ACT-2', 'TPX6')).toMatchObject({ sequence: 6 });
});

test('calls of two activations in two processes at once get consecutive numbers, each once, while series are taken over', async () => {
  await giveAsBefore('ACT-1', 1, 5);
  await giveAsBefore('ACT-2', 1, 4);
  await giveAsBefore('ACT-1', 1, 5, 'OTHER');
  const given = await Promise.all([
    ...Array.from({ length: 30 }, (_, index) =>
      give(`ACT-${(index % 2) + 1}`, `k${index}`, { store: stores[index % 3 === 0 ? 0 : 1] }),
    ),
    last('ACT-1'),
    last('ACT-2'),
  ]);
  const sequences = given.slice(0, 30).map((number) => Number(number?.sequence));
  // 5, if a call of ACT-2 was first.
  const first = Math.min(...sequences);
  expect([5, 6]).toContain(first);
  expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => first + index));
  expect(await give('ACT-2', 'next')).toMatchObject({ sequence: first + 30 });
  expect(await counter('CUS-1', 'OTHER')).toBe(5);
});

test('a process of the version before that runs beside gives no number a second time, and finds all again', async () => {
  await giveAsBefore('ACT-1', 1, 2);
  expect(await give('ACT-1', 'a')).toMatchObject({ sequence: 3 });
  expect(await counter('ACT-1')).toBe(3);
  await giveAsBefore('ACT-1', 4, 6);
  expect(await give('ACT-1', 'b')).toMatchObject({ sequence: 7 });
  expect(await last('ACT-1')).toMatchObject({ sequence: 7, number: 'TPX/26-27/000007' });
  await giveAsBefore('ACT-1', 8, 8);
  expect(await last('ACT-2')).toMatchObject({ sequence: 7 });
  expect(await last('ACT-1')).toMatchObject({ sequence: 8, number: 'TPX/26-27/000008' });
  expect(await last('ACT-2')).toMatchObject({ sequence: 8, number: 'TPX/26-27/000008' });
  // As that version looks for a repeat.
  const found = await database.pool.query(
    `select asked_by, sequence::int from products.numbers where caller = 'ACT-1' order by sequence`,
  );
  expect(found.rows.map((row) => Object.values(row))).toEqual([
    ['TPX1', 1],
    ['TPX2', 2],
    ['a', 3],
    ['TPX4', 4],
    ['TPX5', 5],
    ['TPX6', 6],
    ['b', 7],
    ['TPX8', 8],
  ]);
});

/** Commits only when a call waits for what these statements have locked. */
async function whileHolding<Result>(statements: string, call: () => Promise<Result>): Promise<Result> {
  const client = await database.pool.connect();
  await client.query(`begin; ${statements}`);
  const result = call();
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
  await client.query('commit');
  client.release();
  return result;
}

test('the counter of an activation that the version before is raising is waited for', async () => {
  await give('ACT-1', 'a');
  const raise = `update products.series set last_sequence = 2 where caller = 'ACT-1'`;
  expect(await whileHolding(raise, () => give('ACT-1', 'b'))).toMatchObject({ sequence: 3 });
});

test('a take-over that reads beside a larger one does not lower the counter', async () => {
  await giveAsBefore('ACT-1', 1, 7);
  const larger = `select pg_advisory_xact_lock(x'73657269'::int, hashtext('CUS-1'));
    insert into products.series values ('CUS-1', 'TPX', 'INV', '2026-27', 9)`;
  expect(await whileHolding(larger, () => last('ACT-1'))).toMatchObject({ sequence: 7 });
  expect(await counter('CUS-1')).toBe(9);
  expect(await give('ACT-1', 'next')).toMatchObject({ sequence: 10 });
});
