import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listActivations } from '#shared/contract/activations.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { listHistory, readInvoice } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { startTestPortal, type TestPortal, webhookSecret } from '#server/test/portal.ts';
import { checkoutSignature } from './verify.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const keySecret = 'rzp_sandbox_secret_0000';
const quiet = { webhooks: { enabled: false } };

/** A customer with a Growth cycle that waits for its payment. */
async function withPendingCycle(at = portal) {
  const token = await at.newCustomer();
  const activated = await at.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'growth' } }, token);
  const cycleId = activated.billingCycleId ?? '';
  const order = () => at.ask(createOrder, { params: { id: cycleId } }, token);
  const cycle = async () => {
    const { activations } = await at.ask(listActivations, {}, token);
    return activations[0]?.billingCycles.find((each) => each.id === cycleId);
  };
  const history = async () => (await at.ask(listHistory, { params: { id: activated.activationId } }, token))[0];
  return { token, activationId: activated.activationId, cycleId, order, cycle, history };
}

async function eventually<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
    await sleep(100);
  }
}

test('a paid and verified order makes its cycle paid, with an invoice numbered without gaps', async () => {
  await portal.behave(quiet);
  const customer = await withPendingCycle();
  expect((await customer.cycle())?.status).toBe('PAYMENT_PENDING');
  const order = await customer.order();
  expect(order).toMatchObject({
    amount: 1499,
    currency: 'INR',
    customer: { name: 'Kaveri Traders' },
    planName: 'Growth',
  });
  const body = await portal.checkOut(order.orderId);
  expect(await portal.ask(verifyPayment, { body }, customer.token)).toEqual({
    status: 'success',
    billingCycleId: customer.cycleId,
    effectiveBy: null,
  });
  const cycle = await customer.cycle();
  expect(cycle).toMatchObject({ status: 'PAID', phase: 'running', price: 1499, taxableValue: 1270.34, gst: 228.66 });
  expect(cycle?.invoiceId).toMatch(/^OCT\/\d\d-\d\d\/0000\d\d$/);
  const { downloadUrl = '' } = await portal.ask(
    readInvoice,
    { params: { billingCycleId: customer.cycleId } },
    customer.token,
  );
  const file = await fetch(downloadUrl);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${customer.cycleId}.pdf"`);
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect((await fetch(downloadUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(404);
});

test('verifying again, even many times at once, has one effect and the same response', async () => {
  await portal.behave(quiet);
  const customer = await withPendingCycle();
  const order = await customer.order();
  const body = await portal.checkOut(order.orderId);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => portal.send(verifyPayment, { body }, customer.token)),
  );
  expect(new Set(responses.map((response) => `${response.status} ${response.text}`))).toHaveProperty('size', 1);
  expect((await customer.history())?.payments).toHaveLength(1);
});

test('a wrong signature, swapped fields, another order or another customer are refused, and nothing changes', async () => {
  // Polls no provider: it would find the payments after some seconds.
  const idle = await startTestPortal({ jobs: false });
  onTestFinished(idle.close);
  await idle.behave(quiet);
  const customer = await withPendingCycle(idle);
  const other = await withPendingCycle(idle);
  const order = await customer.order();
  const otherOrder = await other.order();
  const right = await idle.checkOut(order.orderId);
  const otherPaid = await idle.checkOut(otherOrder.orderId);
  const attempts: [string, typeof right & { amount?: number }, string, number][] = [
    [
      'a wrong signature',
      { ...right, signature: right.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) },
      customer.token,
      422,
    ],
    [
      'a signature over swapped fields',
      { ...right, signature: checkoutSignature(keySecret, right.paymentId, right.orderId) },
      customer.token,
      422,
    ],
    [
      'a payment of another order, correctly signed',
      {
        ...right,
        paymentId: otherPaid.paymentId,
        signature: checkoutSignature(keySecret, right.orderId, otherPaid.paymentId),
      },
      customer.token,
      422,
    ],
    [
      'a payment that does not exist, correctly signed',
      {
        ...right,
        paymentId: 'pay_00000000000000',
        signature: checkoutSignature(keySecret, right.orderId, 'pay_00000000000000'),
      },
      customer.token,
      422,
    ],
    ['another customer’s order', right, other.token, 404],
    ['an order that does not exist', { ...right, orderId: 'order_00000000000000' }, customer.token, 404],
    ['a price in the request', { ...right, amount: 1 }, customer.token, 400],
  ];
  for (const [what, body, token, status] of attempts) {
    const response = await idle.send(verifyPayment, { body }, token);
    expect(response.status, what).toBe(status);
    expect((await customer.cycle())?.status, what).toBe('PAYMENT_PENDING');
    expect((await other.cycle())?.status, what).toBe('PAYMENT_PENDING');
  }
});

test('the webhook alone activates a cycle when the browser never returns', async () => {
  await portal.behave({ webhooks: { enabled: true, duplicates: 3, shuffle: true } });
  const customer = await withPendingCycle();
  const order = await customer.order();
  await portal.pay(order.orderId);
  const cycle = await eventually(customer.cycle, (each) => each?.status === 'PAID');
  expect(cycle?.payments.map((payment) => payment.status)).toEqual(['captured']);
});

test('without webhook and browser the provider is polled, and the cycle becomes paid', async () => {
  await portal.behave(quiet);
  const customer = await withPendingCycle();
  const order = await customer.order();
  await portal.pay(order.orderId);
  expect((await eventually(customer.cycle, (each) => each?.status === 'PAID'))?.phase).toBe('running');
});

function post(text: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${portal.portalUrl}/backend/webhooks/razorpay`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

test('an unsigned, wrongly signed or changed webhook is refused', async () => {
  const body = JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: { id: 'pay_x' } } } });
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
  expect((await post(body, {})).status).toBe(401);
  expect((await post(body, { 'x-razorpay-signature': '0'.repeat(64) })).status).toBe(401);
  expect((await post(`${body} `, { 'x-razorpay-signature': signature })).status).toBe(401);
  expect((await post(body, { 'x-razorpay-signature': signature })).status).toBe(200);
});

test('a failed payment leaves the cycle payable, and a later one on the same order pays it', async () => {
  await portal.behave(quiet);
  const customer = await withPendingCycle();
  const order = await customer.order();
  const failed = await portal.pay(order.orderId, { method: 'card', card: { number: '4100280000080001' } });
  expect(failed).toHaveProperty('error');
  expect((await customer.order()).orderId).toBe(order.orderId);
  const body = await portal.checkOut(order.orderId);
  expect((await portal.ask(verifyPayment, { body }, customer.token)).status).toBe('success');
});

test('a payment for a removed cycle is refunded, once', async () => {
  await portal.behave({ webhooks: { enabled: true } });
  const customer = await withPendingCycle();
  const order = await customer.order();
  const ended = await portal.ask(
    endCycle,
    { params: { activationId: customer.activationId, billingCycleId: customer.cycleId } },
    customer.token,
  );
  expect(ended).toMatchObject({ kind: 'remove', refundAmount: 0 });
  const body = await portal.checkOut(order.orderId);
  expect((await portal.ask(verifyPayment, { body }, customer.token)).status).toBe('refunded');
  const entry = await eventually(customer.history, (each) => each?.returned?.status === 'PROCESSED');
  expect(entry).toMatchObject({ status: 'REMOVED', refund: null, returned: { amount: 1499 }, invoiceId: null });
});

test('creating an order is refused for a paid cycle, and without a business profile', async () => {
  await portal.behave(quiet);
  const customer = await withPendingCycle();
  const order = await customer.order();
  await portal.ask(verifyPayment, { body: await portal.checkOut(order.orderId) }, customer.token);
  expect((await portal.send(createOrder, { params: { id: customer.cycleId } }, customer.token)).body).toMatchObject({
    status: 409,
    code: 'nothing_to_pay',
  });
  const token = await portal.newCustomer(null);
  const { activationId } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'starter' } },
    token,
  );
  expect((await portal.send(createOrder, { params: { id: activationId } }, token)).body).toMatchObject({
    code: 'profile_incomplete',
  });
});

test('simultaneous requests for an order create one at the provider', async () => {
  const customer = await withPendingCycle();
  const orders = await Promise.all(Array.from({ length: 20 }, () => customer.order()));
  expect(new Set(orders.map((order) => order.orderId)).size).toBe(1);
});

test.each(['fail-after-create-500', 'timeout-after-create'])(
  'an order whose response was lost (%s) is found by its receipt',
  async (ordersCreate) => {
    await portal.behave({ ...quiet, ordersCreate });
    const customer = await withPendingCycle();
    const order = await customer.order();
    await portal.behave(quiet);
    expect(order.orderId).toMatch(/^order_/);
    expect((await customer.order()).orderId).toBe(order.orderId);
  },
);

test('when the provider creates no order the call says so, and the next attempt succeeds', async () => {
  await portal.behave({ ...quiet, ordersCreate: 'fail-500' });
  const customer = await withPendingCycle();
  const response = await portal.send(createOrder, { params: { id: customer.cycleId } }, customer.token);
  expect(response.body).toMatchObject({
    status: 503,
    message: expect.stringContaining('Failed to create payment order'),
  });
  await portal.behave(quiet);
  expect((await customer.order()).orderId).toMatch(/^order_/);
});
