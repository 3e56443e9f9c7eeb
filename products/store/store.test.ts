import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { claimKey } from '#products/idempotency/stored-responses.ts';
import { lastNumber } from '#products/store/numbers.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTestInvoicing, testNow } from '#products/test-products.ts';

let database: TestDatabase;
let stores: [Store, Store];
let nowMs = testNow();
beforeAll(async () => {
  database = await createTestDatabase('empty');
  // Two processes of the products share one database.
  const open = () => openStore(database.databaseUrl, () => undefined);
  stores = [open(), open()];
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.close();
});

const invoicing = (store: Store | undefined) => createTestInvoicing({ store, now: () => nowMs });

const invoice = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { stateCode: '27' },
  document: { number: 'A1', date: '2026-11-02' },
  items: [{ description: 'Thing', hsn: '998319', unitPrice: 999, gstRate: 18 }],
};

/** Sends posts of one activation to both processes in turn. */
async function caller(activation: string) {
  const servers = await Promise.all(stores.map(invoicing));
  let turn = 0;
  return async (url: string, payload: object, key?: string, as = activation) => {
    const server = servers[(turn += 1) % servers.length];
    const headers = { 'x-octroi-activation': as, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const reply = await server?.inject({ method: 'POST', url, payload, headers });
    return {
      status: reply?.statusCode,
      replayed: reply?.headers['octroi-replayed'],
      type: reply?.headers['content-type'],
      disposition: reply?.headers['content-disposition'],
      raw: reply?.rawPayload.toString('latin1'),
      body: reply?.headers['content-type']?.toString().includes('json') ? reply.json<Record<string, unknown>>() : {},
    };
  };
}

test('a retry gets the stored response, byte for byte, marked as a replay', async () => {
  const post = await caller('ACT-1');
  const first = await post('/v1/invoices/compute', invoice, '"retry-1"');
  expect(first).toMatchObject({ status: 200, replayed: undefined });
  // The key matches without the quotes of the draft, and the body with its fields in another order.
  const again = await post('/v1/invoices/compute', Object.fromEntries(Object.entries(invoice).toReversed()), 'retry-1');
  expect(again).toEqual({ ...first, replayed: 'true' });
});

test('a PDF is replayed unchanged, with the name of its file', async () => {
  const post = await caller('ACT-1');
  const address = { line1: '1', city: 'Mumbai', pin: '400053' };
  const paper = { ...invoice, supplier: { ...invoice.supplier, name: 'Sample', address } };
  const first = await post('/v1/invoices/pdf', paper, 'pdf-1');
  const disposition = 'inline; filename="A1.pdf"';
  expect(first).toMatchObject({ status: 200, type: 'application/pdf', disposition });
  expect(await post('/v1/invoices/pdf', paper, 'pdf-1')).toEqual({ ...first, replayed: 'true' });
});

test('the same key with another body is refused, and keys are separate per activation', async () => {
  const post = await caller('ACT-1');
  await post('/v1/invoices/compute', invoice, 'mine');
  const other = { ...invoice, roundToRupee: true };
  expect(await post('/v1/invoices/compute', other, 'mine')).toMatchObject({
    status: 422,
    body: { message: 'This Idempotency-Key was used for a different request; use a new one.' },
  });
  expect(await post('/v1/invoices/compute', other, 'mine', 'ACT-2')).toMatchObject({
    status: 200,
    replayed: undefined,
  });
});

test('a refused call leaves its key free', async () => {
  const post = await caller('ACT-1');
  const wrong = { ...invoice, recipient: { gstin: '29ZZZCA0001A1Z1' } };
  expect(await post('/v1/invoices/compute', wrong, 'second-try')).toMatchObject({ status: 422 });
  expect(await post('/v1/invoices/compute', invoice, 'second-try')).toMatchObject({ status: 200, replayed: undefined });
});

test('a retry while the first call is running gets 409; after a crash the retry does the work', async () => {
  const post = await caller('ACT-1');
  // What a process leaves behind when it dies during this very call.
  const before = await post('/v1/invoices/compute', invoice, 'seen');
  expect(before.status).toBe(200);
  await database.pool.query(
    `update products.answers set answered_at = null, status = null, body = null, started_at = $1 where key = 'seen'`,
    [new Date(nowMs)],
  );
  expect(await post('/v1/invoices/compute', invoice, 'seen')).toMatchObject({ status: 409 });
  nowMs += 61_000;
  expect(await post('/v1/invoices/compute', invoice, 'seen')).toMatchObject({ status: 200, replayed: undefined });
  expect(await post('/v1/invoices/compute', invoice, 'seen')).toMatchObject({ status: 200, replayed: 'true' });
});

test('after a day a key may be reused', async () => {
  const post = await caller('ACT-1');
  await post('/v1/invoices/compute', invoice, 'day');
  nowMs += 24 * 3_600_000 + 1000;
  expect(await post('/v1/invoices/compute', { ...invoice, roundToRupee: true }, 'day')).toMatchObject({ status: 200 });
  nowMs = testNow();
});

test('of twenty concurrent calls with one key, one does the work', async () => {
  const post = await caller('ACT-3');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post('/v1/numbers', { series: 'ONE', date: '2026-11-02' }, 'once')),
  );
  expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(replies.filter(({ status, replayed }) => status === 200 && replayed === undefined)).toHaveLength(1);
  const name = {
    customer: 'ACT-3',
    activation: 'ACT-3',
    series: 'ONE',
    documentType: 'INV',
    date: '2026-11-02',
  } as const;
  expect(await lastNumber(stores[0], name)).toMatchObject({ sequence: 1 });
});

test('numbers are consecutive and assigned once under concurrent calls', async () => {
  const post = await caller('ACT-4');
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, index) => post('/v1/numbers', { series: 'TPX', date: '2026-11-02' }, `n-${index}`)),
  );
  const numbers = replies.map(({ body }) => String(body['number'])).toSorted();
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => `TPX/26-27/${String(index + 1).padStart(6, '0')}`));
});

test('each type, each year and each caller has its own numbers; a new series may start elsewhere', async () => {
  const post = await caller('ACT-5');
  const numberOf = async (payload: object, key: string, as?: string) =>
    (await post('/v1/numbers', payload, key, as)).body['number'];
  expect(await numberOf({ series: 'A', date: '2026-03-31', startAt: 42 }, 'k1')).toBe('A/25-26/000042');
  expect(await numberOf({ series: 'A', date: '2026-03-31', startAt: 7 }, 'k2')).toBe('A/25-26/000043');
  expect(await numberOf({ series: 'A', date: '2026-04-01' }, 'k3')).toBe('A/26-27/000001');
  expect(await numberOf({ series: 'A', date: '2026-04-01', type: 'CRN' }, 'k4')).toBe('A/26-27/C0001');
  expect(await numberOf({ series: 'A', date: '2026-04-01', type: 'DBN', digits: 2 }, 'k5')).toBe('A/26-27/D01');
  expect(await numberOf({ series: 'A', date: '2026-04-01' }, 'k6', 'ACT-6')).toBe('A/26-27/000001');
});

test('a series has one spelling in a year: the invoice portal reads numbers in capital letters', async () => {
  const post = await caller('ACT-9');
  const [one, other] = await Promise.all([
    post('/v1/numbers', { series: 'TPX', date: '2026-11-02' }, 'upper'),
    post('/v1/numbers', { series: 'tpx', date: '2026-11-02' }, 'lower'),
  ]);
  expect(new Set([one.status, other.status])).toEqual(new Set([200, 422]));
  const [given, refused] = one.status === 200 ? [one, other] : [other, one];
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/series' }] });
  const series = String(given.body['series']);
  expect(refused.body['detail']).toContain(`'${series}'`);
  expect(await post('/v1/numbers', { series, date: '2026-11-02' }, 'next')).toMatchObject({ body: { sequence: 2 } });
  expect(await post('/v1/numbers', { series: 'Tpx', date: '2027-04-01' }, 'year')).toMatchObject({ status: 200 });
  expect(await post('/v1/numbers', { series: 'tPx', date: '2026-11-02' }, 'else', 'ACT-10')).toMatchObject({
    status: 200,
  });
});

test.each(['1900-01-01', '2017-06-30', '9999-12-31'])('no number is given for a document of %s', async (date) => {
  const post = await caller('ACT-11');
  const refused = await post('/v1/numbers', { series: 'TPX', date }, date);
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/date' }] } });
});

test('a number that would break Rule 46(b) is refused and none is lost', async () => {
  const post = await caller('ACT-7');
  expect(await post('/v1/numbers', { series: 'TOOLONG', date: '2026-11-02' }, 'long')).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/series' }] },
  });
  expect((await post('/v1/numbers', { series: 'TOOLONG', date: '2026-11-02', digits: 2 }, 'short')).body).toMatchObject(
    {
      number: 'TOOLONG/26-27/01',
    },
  );
  expect(await post('/v1/numbers', { series: 'A', date: '2026-11-02' })).toMatchObject({
    status: 400,
    body: { code: 'idempotency-key-missing', errors: [{ in: 'header', pointer: '/idempotency-key' }] },
  });
});

test('a retry gets its number again even when the response was lost, and a key stands for one number for good', async () => {
  const post = await caller('ACT-8');
  const asked = { series: 'L', date: '2026-11-02' };
  const first = await post('/v1/numbers', asked, 'lost');
  await database.pool.query(`delete from products.answers where caller = 'ACT-8'`);
  expect((await post('/v1/numbers', asked, 'lost')).body).toEqual(first.body);
  await database.pool.query(`delete from products.answers where caller = 'ACT-8'`);
  expect(await post('/v1/numbers', { ...asked, type: 'CRN' }, 'lost')).toMatchObject({ status: 422 });
});

test('without a database, or with one that is down, calls that need it say so, and all others work', async () => {
  const gone = openStore('postgres://nobody@127.0.0.1:9/none', () => undefined);
  for (const store of [undefined, gone]) {
    const server = await invoicing(store);
    const post = (headers: Record<string, string>) =>
      server.inject({ method: 'POST', url: '/v1/invoices/compute', payload: invoice, headers });
    expect((await post({})).statusCode).toBe(200);
    const refused = await post({ 'idempotency-key': 'x' });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30']);
    expect((await server.inject('/v1/numbers?series=A&date=2026-11-02')).statusCode).toBe(503);
  }
  await expect(
    claimKey(gone, { caller: 'a', customer: 'c', key: 'b', requestHash: 'c', requestId: 'd' }, nowMs),
  ).rejects.toThrow('cannot be reached');
  await gone.close();
});
