import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { exampleRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { type StorageLimits, claimKey, storeResponse } from '#products/idempotency/stored-responses.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTestInvoicing, testNow } from '#products/test-products.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const limits: StorageLimits = { responses: 60, bytes: 600_000 };
let database: TestDatabase;
let store: Store;
let server: ProductServer;
let nowMs = testNow();
beforeAll(async () => {
  database = await createTestDatabase('empty');
  store = openStore(database.databaseUrl, () => undefined);
  server = await createTestInvoicing({ store, storageLimits: limits, now: () => (nowMs += 1) });
});
afterAll(async () => {
  await server.close();
  await store.close();
  await database.close();
});

async function kept(customer: string): Promise<{ responses: number; bytes: number }> {
  const { rows } = await database.pool.query<{ responses: string; bytes: string }>(
    'select count(*) as responses, coalesce(sum(octet_length(body)), 0) as bytes from products.answers where customer = $1',
    [customer],
  );
  return { responses: Number(rows[0]?.responses), bytes: Number(rows[0]?.bytes) };
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
    expect(now.responses).toBeLessThanOrEqual(limits.responses);
    expect(now.bytes).toBeLessThanOrEqual(limits.bytes);
  }
  expect((await kept('CUS-1')).responses).toBeGreaterThan(5);
  expect((await print('ACT-0', 'pdf-99')).headers['octroi-replayed']).toBe('true');
  expect((await print('ACT-0', 'pdf-0')).headers['octroi-replayed']).toBeUndefined();
});

test('responses stored concurrently stay within the limits, and evict nothing of another customer or of a running call', async () => {
  const keep = async (customer: string, key: string): Promise<void> => {
    const keyedRequest = { caller: `ACT-${customer}`, customer, key, requestHash: 'h', requestId: '' };
    const claim = await claimKey(store, keyedRequest, nowMs);
    if (claim.state !== 'claimed') throw new Error(claim.state);
    const response = { status: 200, contentType: 'text/plain', body: Buffer.alloc(1000) };
    await storeResponse(store, keyedRequest, claim.startedAt, response, (nowMs += 1), { responses: 5, bytes: 10_000 });
  };
  await keep('CUS-2', 'mine');
  await claimKey(
    store,
    { caller: 'ACT-CUS-3', customer: 'CUS-3', key: 'slow', requestHash: 'h', requestId: '' },
    nowMs,
  );
  await Promise.all(Array.from({ length: 40 }, (_, index) => keep('CUS-3', `k${index}`)));
  expect(await kept('CUS-2')).toEqual({ responses: 1, bytes: 1000 });
  expect(await kept('CUS-3')).toEqual({ responses: 6, bytes: 5000 });
  const inWork = await claimKey(
    store,
    { caller: 'ACT-CUS-3', customer: 'CUS-3', key: 'slow', requestHash: 'h', requestId: '' },
    nowMs,
  );
  expect(inWork.state).toBe('running');
});
