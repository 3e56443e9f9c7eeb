import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteActivation, listActivations } from '#shared/contract/activations.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { billed } from '#server/money-tests/test-credit.ts';
import { type Money, startMoney, browserReport } from '#server/money-tests/test-money.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import { settleFetched } from './settle.ts';
import { verifyPayment as verifyPaid } from './verify.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());
beforeEach(() => money.behave({ webhooks: { enabled: false } }));

/** A customer whose Growth cycle waits for the payment of an order. */
async function ordered() {
  const customer = await money.newCustomer();
  const { token } = customer;
  const activated = await money.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'growth' } }, token);
  const cycleId = activated.billingCycleId ?? '';
  const { activationId } = activated;
  const order = () => money.ask(createOrder, { params: { id: cycleId } }, token);
  const cycle = async () =>
    (await money.ask(listActivations, {}, token)).activations[0]?.billingCycles.find((each) => each.id === cycleId);
  const history = async () => (await money.ask(listHistory, { params: { id: activationId } }, token))[0];
  const end = () => money.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, token);
  const verify = (orderId: string, paymentId: string) =>
    money.ask(verifyPayment, { body: browserReport(orderId, paymentId) }, token);
  return {
    customer,
    token,
    activationId,
    cycleId,
    orderId: (await order()).orderId,
    order,
    cycle,
    history,
    end,
    verify,
  };
}

const paymentIdOf = (response: Record<string, unknown>): string => {
  const error = response['error'];
  const metadata = typeof error === 'object' && error !== null && 'metadata' in error ? error.metadata : undefined;
  const failedId =
    typeof metadata === 'object' && metadata !== null && 'payment_id' in metadata ? metadata.payment_id : '';
  return String(response['razorpay_payment_id'] ?? failedId);
};

test('late authorisation: a failed payment that is authorised and captured later pays, and stays one payment', async () => {
  const one = await ordered();
  const paymentId = paymentIdOf(await money.pay(one.orderId, { outcome: 'payment_timed_out' }));
  await money.deliver('payment.failed', { payment: { entity: { id: paymentId, status: 'failed' } } });
  await money.work();
  expect((await one.cycle())?.payments.map((each) => each.status)).toEqual(['failed']);
  await money.standin('POST', `/standin/payments/${paymentId}/authorize`, { capture: false });
  await money.deliver('payment.authorized', { payment: { entity: { id: paymentId, status: 'authorized' } } });
  await money.work();
  expect(await one.cycle()).toMatchObject({ status: 'PENDING', payments: [{ status: 'pending' }] });
  await money.standin('POST', `/standin/payments/${paymentId}/capture`, {});
  // The order may have been asked for already, and is next due after a while.
  await money.work(money.portal, 60_000);
  expect(await one.cycle()).toMatchObject({ status: 'PAID', payments: [{ id: paymentId, status: 'captured' }] });
  expect(await money.faults()).toEqual([]);
});

test('a UPI payment that waits for the app is shown as pending, and is settled without a webhook or browser', async () => {
  const one = await ordered();
  const paymentId = paymentIdOf(await money.pay(one.orderId, { method: 'upi', outcome: 'pending' }));
  await money.work(money.portal, 6000);
  expect(await one.cycle()).toMatchObject({ status: 'PENDING', payments: [{ id: paymentId, status: 'pending' }] });
  await money.standin('POST', `/standin/payments/${paymentId}/authorize`, {});
  await money.work(money.portal, 20_000);
  expect((await one.cycle())?.status).toBe('PAID');
});

test('a payment over a wrong amount is refunded, and the next attempt gets a new order that pays', async () => {
  const one = await ordered();
  await money.behave({ webhooks: { enabled: false }, captureWrongAmountPaise: 100 });
  const paymentId = paymentIdOf(await money.pay(one.orderId));
  expect((await one.verify(one.orderId, paymentId)).status).toBe('refunded');
  await money.work();
  expect(await one.history()).toMatchObject({
    status: 'PAYMENT_PENDING',
    returned: { amount: 1, status: 'PROCESSED' },
  });
  await money.behave({ webhooks: { enabled: false } });
  const { orderId } = await one.order();
  expect(orderId).not.toBe(one.orderId);
  expect((await one.verify(orderId, paymentIdOf(await money.pay(orderId)))).status).toBe('success');
  expect(await money.faults()).toEqual([]);
});

test('a promise to pay later is listed with what is due of it', async () => {
  const { customerId } = await billed(money);
  const { payments } = await readAsOperator(money.portal, 'read-only', 'listPayments', { customerId });
  expect(payments).toMatchObject([{ id: expect.stringMatching(/^TRM-/), amount: 1499, due: 1499 }]);
});

test('a payment in another currency is refunded', async () => {
  const one = await ordered();
  const payment = await money.portal.razorpay.readPayment(paymentIdOf(await money.pay(one.orderId)));
  expect(await settleFetched(money.portal, { ...payment, currency: 'USD' })).toBe('refunded');
  expect((await one.cycle())?.status).toBe('PAYMENT_PENDING');
  const { customerId } = one.customer;
  const { payments } = await readAsOperator(money.portal, 'read-only', 'listPayments', { customerId });
  expect(payments).toMatchObject([{ id: payment.id, currency: 'USD', refunded: 1499, due: null }]);
  const { refunds } = await readAsOperator(money.portal, 'read-only', 'listRefunds', { customerId });
  expect(refunds).toMatchObject([{ paymentId: payment.id, currency: 'USD', amount: 1499 }]);
  expect(await readAsOperator(money.portal, 'read-only', 'readPayment', { of: payment.id })).toMatchObject({
    payments: [{ id: payment.id, currency: 'USD' }],
    refunds: [{ paymentId: payment.id, currency: 'USD' }],
  });
  await money.work();
  expect(await money.faults()).toEqual([]);
});

test('two tabs: of two payments for one order one pays, and the one that the provider refunded is shown as refunded', async () => {
  const one = await ordered();
  const slow = paymentIdOf(await money.pay(one.orderId, { method: 'upi', outcome: 'pending' }));
  const fast = paymentIdOf(await money.pay(one.orderId));
  await one.verify(one.orderId, fast);
  await money.standin('POST', `/standin/payments/${slow}/authorize`, {});
  await money.deliver('payment.authorized', { payment: { entity: { id: slow, status: 'authorized' } } });
  await money.work();
  const cycle = await one.cycle();
  expect(cycle?.status).toBe('PAID');
  expect(new Map(cycle?.payments.map((each) => [each.id, each.status]))).toEqual(
    new Map([
      [fast, 'captured'],
      [slow, 'refunded'],
    ]),
  );
  expect(await money.faults()).toEqual([]);
});

test('a second capture for a cycle that is paid already is refunded in full, and takes nothing from what was paid', async () => {
  const one = await ordered();
  const paid = await money.portal.razorpay.readPayment(paymentIdOf(await money.pay(one.orderId)));
  expect(await settleFetched(money.portal, paid)).toBe('paid');
  const other = await ordered();
  const second = await money.portal.razorpay.readPayment(paymentIdOf(await money.pay(other.orderId)));
  // As if the provider had accepted both payments for the first order.
  expect(await settleFetched(money.portal, { ...second, order_id: one.orderId })).toBe('refunded');
  await money.work();
  expect((await money.portal.razorpay.readPayment(second.id)).status).toBe('refunded');
  expect(await one.history()).toMatchObject({
    status: 'PAID',
    refund: null,
    returned: { amount: 1499, status: 'PROCESSED' },
  });
  expect(await money.faults()).toEqual([]);
});

test.each(['removed', 'deleted with its activation'])(
  'a payment for a cycle that was %s is refunded automatically',
  async (how) => {
    const one = await ordered();
    if (how === 'removed') await one.end();
    else await money.ask(deleteActivation, { params: { activationId: one.activationId } }, one.token);
    await money.pay(one.orderId);
    // No webhook: the order is checked on schedule.
    await money.work(money.portal, 6000);
    expect(await one.history()).toMatchObject({ status: 'REMOVED', returned: { amount: 1499, status: 'PROCESSED' } });
    expect(await money.faults()).toEqual([]);
  },
);

test('a refund that the provider refuses for lack of balance stays due and is completed later', async () => {
  const one = await ordered();
  await one.end();
  await money.behave({ webhooks: { enabled: false }, refunds: 'insufficient-balance' });
  await money.pay(one.orderId);
  await money.work(money.portal, 6000);
  expect((await one.history())?.returned?.status).toBe('STARTED');
  expect(money.logLines.join('')).toContain('the provider refused a refund');
  await money.behave({ webhooks: { enabled: false } });
  await money.work(money.portal, 30_000);
  expect((await one.history())?.returned?.status).toBe('PROCESSED');
  expect(await money.faults()).toEqual([]);
});

test('a refund that a bank returns is retried with a new idempotency key, and arrives once', async () => {
  const one = await ordered();
  await one.end();
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  const paymentId = paymentIdOf(await money.pay(one.orderId));
  await money.work(money.portal, 6000);
  expect((await one.history())?.returned?.status).toBe('PENDING');
  const { provider_refund_id: first } = await money.portal.db
    .selectFrom('refunds')
    .select('provider_refund_id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  await money.standin('POST', `/standin/refunds/${first}/fail`, {});
  await money.behave({ webhooks: { enabled: false } });
  await money.deliver('refund.failed', { refund: { entity: { id: first, status: 'failed', payment_id: paymentId } } });
  await money.work();
  expect((await one.history())?.returned?.status).toBe('FAILED');
  expect(await money.faults()).toEqual([]);
  await money.work(money.portal, 60_000);
  expect((await one.history())?.returned?.status).toBe('PROCESSED');
  expect((await money.portal.razorpay.readPayment(paymentId)).status).toBe('refunded');
  expect(await money.faults()).toEqual([]);
});

test('while the provider does not respond, a signed payment is shown as pending and not lost', async () => {
  const one = await ordered();
  const paymentId = paymentIdOf(await money.pay(one.orderId));
  const nobody = createRazorpay({ apiUrl: 'http://127.0.0.1:9/v1', keyId: 'nobody', keySecret: 'nobody' });
  const deaf = money.anotherPortal({ razorpay: nobody });
  expect(await verifyPaid(deaf, one.customer, browserReport(one.orderId, paymentId))).toMatchObject({
    status: 'pending',
  });
  expect(await one.cycle()).toMatchObject({ status: 'PENDING', payments: [{ id: paymentId, status: 'pending' }] });
  await money.work(money.portal, 6000);
  expect(await one.cycle()).toMatchObject({ status: 'PAID', payments: [{ status: 'captured' }] });
  expect(await verifyPaid(deaf, one.customer, browserReport(one.orderId, paymentId))).toMatchObject({
    status: 'success',
  });
});
