import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#contract/marketplace.ts';
import { readPortalSettings } from '#server/config.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { createOrder } from './create-order.ts';
import { isSigned, storeDelivery } from './webhook.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

async function paidAtProvider() {
  const customer = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId } = await money.ask(activatePlan, call, customer.token);
  const { orderId } = await createOrder(money.portal, customer, billingCycleId ?? '');
  return { cycleId: billingCycleId ?? '', paymentId: (await money.checkOut(orderId)).paymentId };
}

const count = async (table: 'webhook_inbox' | 'payments' | 'refunds' | 'ledger_entries'): Promise<number> =>
  (
    await money.portal.db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

test('a hundred copies of a delivery, with different event ids and formatting, have one effect', async () => {
  const { paymentId } = await paidAtProvider();
  const payload = { payment: { entity: { id: paymentId, status: 'captured' } } };
  const before = { inbox: await count('webhook_inbox'), entries: await count('ledger_entries') };
  // `deliver` adds a random field to each body and another event id to each request.
  const statuses = await Promise.all(Array.from({ length: 100 }, () => money.deliver('payment.captured', payload)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await money.work();
  expect(await count('webhook_inbox')).toBe(before.inbox + 1);
  // A replay a week later.
  await money.deliver('payment.captured', payload);
  await money.work();
  expect(await count('webhook_inbox')).toBe(before.inbox + 1);
  expect(await count('ledger_entries')).toBe(before.entries + 1);
  expect(await money.faults()).toEqual([]);
});

test('a delivery about another state of the same payment is not a duplicate, and changes nothing after the capture', async () => {
  const { paymentId } = await paidAtProvider();
  const deliverState = (event: string, status: string) =>
    money.deliver(event, { payment: { entity: { id: paymentId, status } } });
  await deliverState('payment.captured', 'captured');
  await money.work();
  const before = await count('webhook_inbox');
  await deliverState('payment.authorized', 'authorized');
  await deliverState('payment.failed', 'failed');
  await money.work();
  expect(await count('webhook_inbox')).toBe(before + 2);
  const row = await money.portal.db
    .selectFrom('payments')
    .select(['status', 'use'])
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ status: 'captured', use: 'CYCLE' });
});

test('a delivery about an unknown payment, and one with a false state, move no money', async () => {
  const before = await count('payments');
  await money.deliver('payment.captured', { payment: { entity: { id: 'pay_00000000000000', status: 'captured' } } });
  await money.deliver('refund.processed', {
    refund: { entity: { id: 'rfnd_0', status: 'processed', payment_id: 'pay_0' } },
  });
  const customer = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId } = await money.ask(activatePlan, call, customer.token);
  const { orderId } = await createOrder(money.portal, customer, billingCycleId ?? '');
  const failed = await money.pay(orderId, { method: 'upi', outcome: 'pending' });
  // The delivery says captured; the provider, when asked, says created.
  await money.deliver('payment.captured', {
    payment: { entity: { id: String(failed['razorpay_payment_id']), status: 'captured' } },
  });
  await money.work();
  expect(await count('payments')).toBe(before + 1);
  expect(await money.faults()).toEqual([]);
});

test('while the secret is being changed both are accepted, and no other', () => {
  const body = Buffer.from('{"event":"payment.captured"}');
  const signed = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
  const both = 'the-old-secret,the-new-secret';
  expect(isSigned(both, body, signed('the-old-secret'))).toBe(true);
  expect(isSigned(both, body, signed('the-new-secret'))).toBe(true);
  for (const other of ['', 'the-old-secre', both, 'the-newest-secret']) {
    expect(isSigned(both, body, signed(other)), other).toBe(false);
  }
  expect(isSigned('the-new-secret', body, signed('the-old-secret'))).toBe(false);
});

const env = {
  DATABASE_URL: 'postgres://user:password@host/name',
  GOOGLE_CLIENT_ID: 'id',
  RAZORPAY_KEY_ID: 'id',
  RAZORPAY_KEY_SECRET: 'some secret',
};

test.each([
  [undefined],
  [''],
  ['   '],
  [','],
  ['short'],
  ['long-enough-secret,'],
  ['a-long-secret-1,a-long-secret-2,a-long-secret-3'],
])('with %j as webhook secret the portal does not start', (secret) => {
  const given = secret === undefined ? env : { ...env, RAZORPAY_WEBHOOK_SECRET: secret };
  expect(() => readPortalSettings({ env: given })).toThrow(/RAZORPAY_WEBHOOK_SECRET/);
});

test('a signed body that is not an event is not stored', async () => {
  const before = await count('webhook_inbox');
  for (const body of ['', '[]', '{"event":1}', '{"event":"payment.captured"}', 'null', '{"payload":{}}']) {
    expect(await storeDelivery(money.portal, Buffer.from(body))).toBe(false);
  }
  expect(await count('webhook_inbox')).toBe(before);
});
