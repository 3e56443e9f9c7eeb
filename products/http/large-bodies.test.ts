import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductServer } from '#products/http/product-server.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { createTestInvoicing } from '#products/test-products.ts';

let server: ProductServer;
beforeAll(async () => {
  server = await createTestInvoicing();
});
afterAll(() => server.close());

const invoiceOf = (lines: number, discount: number) => ({
  ...partiesExample,
  document: { number: 'A1', date: '2026-11-02' },
  items: Array.from({ length: lines }, () => ({
    description: 'API access',
    hsn: '998319',
    unitPrice: 1000,
    gstRate: 18,
    discount,
  })),
});

/** An invoice of 500 lines that is parsed and checked like any other and then refused. */
const checkLarge = async (activation: string): Promise<void> => {
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/v1/invoices/compute',
    payload: invoiceOf(500, 5000),
    headers: { 'x-octroi-activation': activation },
  });
  expect(statusCode).toBe(422);
};
const computeSmall = async (): Promise<void> => {
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/v1/invoices/compute',
    payload: invoiceOf(2, 0),
    headers: { 'x-octroi-activation': 'ACT-PAYING' },
  });
  expect(statusCode).toBe(200);
};

test('small calls, one after another, get responses while 20 large bodies that arrived at once are processed', async () => {
  let checked = 0;
  const storm = Array.from({ length: 20 }, () => checkLarge('ACT-STORM').then(() => (checked += 1)));
  const checkedBefore: number[] = [];
  while (checkedBefore.length < 5) {
    await computeSmall();
    checkedBefore.push(checked);
  }
  await Promise.all(storm);
  // Each small call waits for at most a few of the large ones, and not all of these wait for it either.
  expect(checkedBefore[0]).toBeLessThan(5);
  expect(checkedBefore.at(-1)).toBeGreaterThan(0);
});

test('the large body of one activation is checked before the backlog that another one sent earlier', async () => {
  const finished: string[] = [];
  const send = (activation: string) => checkLarge(activation).then(() => finished.push(activation));
  await Promise.all([...Array.from({ length: 12 }, () => send('ACT-STORM')), send('ACT-OTHER')]);
  expect(finished.indexOf('ACT-OTHER')).toBeLessThan(4);
});
