import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { readPortalSettings } from '#server/config.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { webhookSecret } from '#server/test/portal.ts';
import { createOrder } from './create-order.ts';
import { isSigned } from './webhook.ts';

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

/** Sends these bytes, signed by Razorpay's secret. */
async function post(body: Buffer): Promise<number> {
  const response = await fetch(`${money.portalUrl}/backend/webhooks/razorpay`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'x-razorpay-signature': createHmac('sha256', webhookSecret).update(body).digest('hex') },
  });
  return response.status;
}

test('a signed body that names no event gets 200 and is not stored', async () => {
  const before = await count('webhook_inbox');
  for (const body of [
    '[]',
    'null',
    '{}',
    '{"event":1}',
    '{"event":"\\u0000"}',
    '{"payload":{}}',
    'event=x',
    '['.repeat(100_000),
  ])
    expect(await post(Buffer.from(body)), body.slice(0, 20)).toBe(200);
  expect(await count('webhook_inbox')).toBe(before);
});

test.each([
  ['a byte order mark', (text: string) => `\ufeff${text}`],
  [
    'a field that PostgreSQL takes no NUL in',
    (text: string) => text.replace('{', String.raw`{"notes":"\u0000\ud800",`),
  ],
  ['a number that PostgreSQL can’t store', (text: string) => text.replace('{', '{"n":1e999999,')],
  [
    'more depth than PostgreSQL takes',
    (text: string) => text.replace('{', `{"n":${'['.repeat(50_000)}${']'.repeat(50_000)},`),
  ],
  [
    'nulls and empty lists for what is not there',
    (text: string) => text.replace('"status":"captured"', '"status":null,"payment_id":[],"amount_refunded":"0"'),
  ],
  [
    'empty lists beside the payment',
    (text: string) =>
      text.replace('"payload":{', '"payload":{"order":[],"refund":null,"dispute":{"entity":{"id":7,"evidence":[]}},'),
  ],
])('a signed delivery with %s gets 200, and its payment is settled', async (_what, changed) => {
  const { paymentId } = await paidAtProvider();
  const before = await count('payments');
  const payload = { payment: { entity: { id: paymentId, status: 'captured' } } };
  expect(await post(Buffer.from(changed(JSON.stringify({ event: 'payment.captured', payload }))))).toBe(200);
  await money.work();
  expect(await count('payments')).toBe(before + 1);
  expect(await money.faults()).toEqual([]);
});

test.each(['"payload":[]', '"payload":null', '"payload":{"payment":[]}', '"x":1'])(
  'a signed delivery with %s gets 200, and says in the inbox that nothing could be read',
  async (payload) => {
    expect(await post(Buffer.from(`{"event":"payment.captured",${payload}}`))).toBe(200);
    await money.work();
    const row = await money.portal.db
      .selectFrom('webhook_inbox')
      .select(['fault', 'processed_at'])
      .orderBy('received_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      fault: 'It does not say what it is about; polling finds it.',
      processed_at: expect.any(Date),
    });
  },
);
