import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActivations } from '#contract/activations.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { createOrder, verifyPayment } from '#contract/payments.ts';
import { faultsOf } from '#contract/call.ts';
import { calls } from '#contract/test-calls.ts';
import { refusals } from '#contract/refusals.ts';
import { type Money, startMoney, told } from '#server/money-tests/test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** A payment that the provider has captured, of which nobody has told yet. */
async function captured() {
  const customer = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId: id = '' } = await money.ask(activatePlan, call, customer.token);
  const { orderId } = await money.ask(createOrder, { params: { id } }, customer.token);
  const paid = await money.pay(orderId);
  return { customer, id, body: told(orderId, String(paid['razorpay_payment_id'])) };
}

/** Plays something while no document can be numbered, so that nothing can be settled. */
async function whileUnsettleable(play: () => Promise<void>): Promise<void> {
  const { db } = money.portal;
  await sql`alter table document_series rename to document_series_away`.execute(db);
  try {
    await play();
  } finally {
    await sql`alter table document_series_away rename to document_series`.execute(db);
  }
}

const health = async () => {
  const response = await money.app.inject({ url: '/backend/health' });
  return response.json<{ status: string; documentNumbers: unknown; unsettledPayments: unknown }>();
};

test('a captured payment that cannot be settled: the reply says what becomes of the money, and the operator is alarmed with back-off', async () => {
  const { customer, body } = await captured();
  const alarms = () =>
    money.logLines.filter((line) => line.includes('cannot be settled') && line.includes(body.paymentId));
  expect((await health()).unsettledPayments).toEqual({ count: 0, oldestSeconds: null });
  await whileUnsettleable(async () => {
    const answer = await money.send(verifyPayment, { body }, customer.token);
    expect(answer).toMatchObject({ status: 500, body: { code: 'payment_unknown' } });
    expect(answer.text).not.toMatch(/[Nn]othing was charged/);
    expect(answer.text).toContain('we will activate your plan or refund you automatically');
    expect(alarms()).toHaveLength(1);
    for (let times = 2; times <= 8; times += 1) await money.send(verifyPayment, { body }, customer.token);
    // At the first, second, fourth and eighth.
    expect(alarms()).toHaveLength(4);
    expect(await health()).toMatchObject({
      status: 'failing',
      unsettledPayments: { count: 1, oldestSeconds: expect.any(Number) },
      // What this part reads is away; it hides no other.
      documentNumbers: null,
    });
  });
  expect(await money.ask(verifyPayment, { body }, customer.token)).toMatchObject({ status: 'success' });
  expect((await health()).unsettledPayments).toEqual({ count: 0, oldestSeconds: null });
  expect(await money.faults()).toEqual([]);
});

test('a fault while an order is made says what becomes of money that has left already', async () => {
  const { customer, id } = await captured();
  const { db } = money.portal;
  await sql`alter table payment_orders rename to payment_orders_away`.execute(db);
  const answer = await money.send(createOrder, { params: { id } }, customer.token);
  await sql`alter table payment_orders_away rename to payment_orders`.execute(db);
  expect(answer).toMatchObject({ status: 500, body: { code: 'payment_unknown' } });
});

test('a fault of a call that moves no money says nothing of money', async () => {
  const { customer } = await captured();
  const { db } = money.portal;
  await sql`alter table activations rename to activations_away`.execute(db);
  const answer = await money.send(listActivations, {}, customer.token);
  await sql`alter table activations_away rename to activations`.execute(db);
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(answer.text).not.toMatch(/charge|money|pay/i);
});

test('only the faults of calls that may charge speak of money, and no refusal says that nothing was charged', () => {
  const paying = calls.filter((call) => call.mayCharge);
  expect(paying.map((call) => call.name).toSorted()).toEqual(['createOrder', 'verifyPayment']);
  for (const code of Object.values(faultsOf({}))) expect(refusals[code].message).not.toMatch(/charge|money|pay/i);
  for (const code of Object.values(faultsOf({ mayCharge: true })))
    expect(refusals[code].message).toContain('If money left your account, don’t pay again');
  for (const { message } of Object.values(refusals)) expect(message).not.toMatch(/charged/);
});
