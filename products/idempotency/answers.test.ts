import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { testRenderer } from '#paper/test-renderer.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { exampleRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { type AnswerLimits, claimAnswer, keepAnswer } from '#products/idempotency/answers.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { quietLog, testNow } from '#products/test-products.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const limits: AnswerLimits = { answers: 60, bytes: 600_000 };
let database: TestDatabase;
let store: Store;
let server: ProductServer;
let nowMs = testNow();
beforeAll(async () => {
  database = await createTestDatabase('empty');
  store = openStore(database.databaseUrl, () => undefined);
  server = await createInvoicing({
    gatewayUrl: 'http://localhost:4100',
    registrar: undefined,
    store,
    answerLimits: limits,
    renderer: testRenderer(),
    now: () => (nowMs += 1),
    log: quietLog,
  });
});
afterAll(async () => {
  await server.close();
  await store.close();
  await database.close();
});

async function kept(customer: string): Promise<{ answers: number; bytes: number }> {
  const { rows } = await database.pool.query<{ answers: string; bytes: string }>(
    'select count(*) as answers, coalesce(sum(octet_length(body)), 0) as bytes from products.answers where customer = $1',
    [customer],
  );
  return { answers: Number(rows[0]?.answers), bytes: Number(rows[0]?.bytes) };
}

const print = (activation: string, key: string) =>
  server.inject({
    method: 'POST',
    url: '/v1/invoices/pdf',
    payload: { ...exampleRequest, ...partiesExample },
    headers: { 'x-octroi-customer': 'CUS-1', 'x-octroi-activation': activation, 'idempotency-key': key },
  });

test('of 100 PDFs, the newest within the customer’s limits stay stored, across all activations', async () => {
  for (let made = 0; made < 100; made += 1) {
    expect((await print(`ACT-${made % 3}`, `pdf-${made}`)).statusCode).toBe(200);
    const now = await kept('CUS-1');
    expect(now.answers).toBeLessThanOrEqual(limits.answers);
    expect(now.bytes).toBeLessThanOrEqual(limits.bytes);
  }
  expect((await kept('CUS-1')).answers).toBeGreaterThan(5);
  expect((await print('ACT-0', 'pdf-99')).headers['octroi-replayed']).toBe('true');
  expect((await print('ACT-0', 'pdf-0')).headers['octroi-replayed']).toBeUndefined();
});

test('responses stored concurrently stay within the limits, and evict nothing of another customer or of a running call', async () => {
  const keep = async (customer: string, key: string): Promise<void> => {
    const answerKey = { caller: `ACT-${customer}`, customer, key, requestHash: 'h', requestId: '' };
    const claim = await claimAnswer(store, answerKey, nowMs);
    if (claim.state !== 'claimed') throw new Error(claim.state);
    const answer = { status: 200, contentType: 'text/plain', body: Buffer.alloc(1000) };
    await keepAnswer(store, answerKey, claim.startedAt, answer, (nowMs += 1), { answers: 5, bytes: 10_000 });
  };
  await keep('CUS-2', 'mine');
  await claimAnswer(
    store,
    { caller: 'ACT-CUS-3', customer: 'CUS-3', key: 'slow', requestHash: 'h', requestId: '' },
    nowMs,
  );
  await Promise.all(Array.from({ length: 40 }, (_, index) => keep('CUS-3', `k${index}`)));
  expect(await kept('CUS-2')).toEqual({ answers: 1, bytes: 1000 });
  expect(await kept('CUS-3')).toEqual({ answers: 6, bytes: 5000 });
  const inWork = await claimAnswer(
    store,
    { caller: 'ACT-CUS-3', customer: 'CUS-3', key: 'slow', requestHash: 'h', requestId: '' },
    nowMs,
  );
  expect(inWork.state).toBe('in-work');
});
