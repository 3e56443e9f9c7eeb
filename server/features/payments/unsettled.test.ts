import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActivations } from '#shared/contract/activations.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { faultsOf } from '#shared/contract/call.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { refusals } from '#shared/contract/refusals.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** A payment that the provider has captured and the portal does not know of. */
async function captured() {
  const customer = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId: id = '' } = await money.ask(activatePlan, call, customer.token);
  const { orderId } = await money.ask(createOrder, { params: { id } }, customer.token);
  return { customer, id, body: await money.checkOut(orderId) };
}

/** Runs `play` while no document number is left, so that nothing can be settled. */
async function whileUnsettleable(play: () => Promise<void>): Promise<void> {
  const { db } = money.owner;
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

test('a captured payment that cannot be settled: the response says what happens to the money, and alarms are raised with back-off', async () => {
  const { customer, body } = await captured();
  const alarms = () =>
    money.logLines.filter((line) => line.includes('cannot be settled') && line.includes(body.paymentId));
  expect((await health()).unsettledPayments).toEqual({ count: 0, oldestSeconds: null });
  await whileUnsettleable(async () => {
    const response = await money.send(verifyPayment, { body }, customer.token);
    expect(response).toMatchObject({ status: 500, body: { code: 'payment_unknown' } });
    expect(response.text).not.toMatch(/[Nn]othing was charged/);
    expect(response.text).toContain('we will activate your plan or refund you automatically');
    expect(alarms()).toHaveLength(1);
    for (let times = 2; times <= 8; times += 1) await money.send(verifyPayment, { body }, customer.token);
    // At failures one, two, four and eight.
    expect(alarms()).toHaveLength(4);
    expect(await health()).toMatchObject({
      status: 'failing',
      unsettledPayments: { count: 1, oldestSeconds: expect.any(Number) },
      // This part could not be read; the others are still there.
      documentNumbers: null,
    });
  });
  expect(await money.ask(verifyPayment, { body }, customer.token)).toMatchObject({ status: 'success' });
  expect((await health()).unsettledPayments).toEqual({ count: 0, oldestSeconds: null });
  expect(await money.faults()).toEqual([]);
});

test('an error while an order is created says what happens to money that was already paid', async () => {
  const { customer, id } = await captured();
  const { db } = money.owner;
  await sql`alter table payment_orders rename to payment_orders_away`.execute(db);
  const response = await money.send(createOrder, { params: { id } }, customer.token);
  await sql`alter table payment_orders_away rename to payment_orders`.execute(db);
  expect(response).toMatchObject({ status: 500, body: { code: 'payment_unknown' } });
});

test('an error of a call that moves no money does not mention money', async () => {
  const { customer } = await captured();
  const { db } = money.owner;
  await sql`alter table activations rename to activations_away`.execute(db);
  const response = await money.send(listActivations, {}, customer.token);
  await sql`alter table activations_away rename to activations`.execute(db);
  expect(response).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(response.text).not.toMatch(/charge|money|pay/i);
});

test('only errors of calls that may charge mention money, and no refusal says that nothing was charged', () => {
  const paying = calls.filter((call) => call.mayCharge);
  expect(paying.map((call) => call.name).toSorted()).toEqual([
    'createOrder',
    'createOrderOfPeriods',
    'orderByPayLink',
    'payByTransfer',
    'transferByPayLink',
    'verifyByPayLink',
    'verifyPayment',
  ]);
  for (const code of Object.values(faultsOf({}))) expect(refusals[code].message).not.toMatch(/charge|money|pay/i);
  for (const code of Object.values(faultsOf({ mayCharge: true })))
    expect(refusals[code].message).toContain('If money left your account, don’t pay again');
  for (const { message } of Object.values(refusals)) expect(message).not.toMatch(/charged/);
});
