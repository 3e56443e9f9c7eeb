import { expect, test } from 'vitest';
import { checkoutSignature } from '#ship/standins/razorpay/signature.ts';
import { testCards } from '#ship/standins/razorpay/instruments.ts';
import { keySecret, startForTest } from '#ship/standins/testing.ts';

const alreadyPaid =
  'Your payment has been declined as the order is already paid. Please initiate the payment with a new order.';

test('a paid order returns a valid signature, and is paid everywhere', async () => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder(149_900);
  const { status, body } = await control('POST', '/pay', { order_id: order.id, contact: '9845012345' });
  const paymentId = String(body['razorpay_payment_id']);
  expect(status).toBe(200);
  expect(body).toEqual({
    razorpay_payment_id: expect.stringMatching(/^pay_[A-Za-z0-9]{14}$/),
    razorpay_order_id: order.id,
    razorpay_signature: checkoutSignature(keySecret, order.id, paymentId),
  });
  const payment = await api('GET', `/payments/${paymentId}?expand[]=card`);
  expect(payment.body).toMatchObject({
    order_id: order.id,
    amount: 149_900,
    status: 'captured',
    captured: true,
    method: 'card',
    contact: '+919845012345',
    fee: 2998 + 540,
    tax: 540,
    error_code: null,
    card: { last4: '1007', network: 'Visa' },
  });
  expect((await api('GET', `/payments/${paymentId}`)).body).not.toHaveProperty('card');
  expect((await api('GET', `/orders/${order.id}`)).body).toMatchObject({
    status: 'paid',
    amount_paid: 149_900,
    amount_due: 0,
    attempts: 1,
  });
  const second = await control('POST', '/pay', { order_id: order.id });
  expect(second).toMatchObject({ status: 400, body: { error: { description: alreadyPaid } } });
});

test.each(testCards)('card $number ends as $outcome', async ({ number, outcome }) => {
  const { control, createOrder } = await startForTest();
  const order = await createOrder();
  const { status, body } = await control('POST', '/pay', { order_id: order.id, card: { number } });
  const failed = { error: { reason: outcome, metadata: { order_id: order.id } } };
  expect(status).toBe(outcome === 'success' ? 200 : 400);
  expect(body).toMatchObject(outcome === 'success' ? { razorpay_order_id: order.id } : failed);
});

test('rejects a card that is not a test card without counting an attempt', async () => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder();
  expect((await control('POST', '/pay', { order_id: order.id, card: { number: '4111 1111 1111 1111' } })).status).toBe(
    400,
  );
  expect((await api('GET', `/orders/${order.id}`)).body).toMatchObject({ status: 'created', attempts: 0 });
});

test.each([
  [{ method: 'card', otp: '123' }, 'authentication_failed'],
  [{ method: 'card', otp: '12345678901' }, 'authentication_failed'],
  [{ method: 'upi', outcome: 'insufficient_fund' }, 'insufficient_fund'],
  [{ method: 'netbanking', outcome: 'failed' }, 'payment_failed'],
])('paying with %j fails with %s, and the same order can be paid afterwards', async (choice, reason) => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder();
  const failed = await control('POST', '/pay', { order_id: order.id, ...choice });
  expect(failed).toMatchObject({ status: 400, body: { error: { reason } } });
  expect((await control('POST', '/pay', { order_id: order.id, method: 'upi' })).status).toBe(200);
  const { body } = await api('GET', `/orders/${order.id}/payments`);
  expect(body).toMatchObject({
    entity: 'collection',
    count: 2,
    items: [{ status: 'captured' }, { status: 'failed', error_reason: reason }],
  });
});

test('manual capture waits for the call, which must name the authorised amount', async () => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder(50_000, { payment: { capture: 'manual' } });
  const { body } = await control('POST', '/pay', { order_id: order.id });
  const path = `/payments/${String(body['razorpay_payment_id'])}`;
  expect((await api('GET', path)).body).toMatchObject({ status: 'authorized', captured: false, fee: null });
  expect((await control('POST', '/pay', { order_id: order.id })).body).toMatchObject({
    error: { description: alreadyPaid },
  });
  const short = await api('POST', `${path}/capture`, { amount: 49_900, currency: 'INR' });
  expect(short.body).toMatchObject({
    error: { description: 'Capture amount must be equal to the amount authorized.' },
  });
  expect((await api('POST', `${path}/capture`, { amount: 50_000, currency: 'INR' })).body).toMatchObject({
    status: 'captured',
  });
  expect((await api('POST', `${path}/capture`, { amount: 50_000, currency: 'INR' })).status).toBe(400);
});

test('a pending payment fails after ten minutes, and may be authorised late', async () => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder();
  const pending = await control('POST', '/pay', { order_id: order.id, method: 'upi', outcome: 'pending' });
  expect(pending).toMatchObject({ status: 202, body: { status: 'created' } });
  const path = `/payments/${String(pending.body['razorpay_payment_id'])}`;
  await control('POST', '/clock', { advanceMs: 599_000 });
  expect((await api('GET', path)).body).toMatchObject({ status: 'created' });
  await control('POST', '/clock', { advanceMs: 2_000 });
  expect((await api('GET', path)).body).toMatchObject({ status: 'failed', error_reason: 'payment_timed_out' });
  expect((await control('POST', `${path}/authorize`)).body).toMatchObject({ status: 'captured', error_reason: null });
});

test('late authorisation by behaviour goes created, failed, captured as the clock moves', async () => {
  const { api, control, createOrder } = await startForTest();
  await control('PUT', '/behaviour', { lateAuthorisation: {} });
  const order = await createOrder();
  const { body } = await control('POST', '/pay', { order_id: order.id });
  const path = `/payments/${String(body['razorpay_payment_id'])}`;
  const statusAfter = async (advanceMs: number) => {
    await control('POST', '/clock', { advanceMs });
    return (await api('GET', path)).body['status'];
  };
  expect([await statusAfter(0), await statusAfter(600_000), await statusAfter(3_000_000)]).toEqual([
    'created',
    'failed',
    'captured',
  ]);
});

test('a payment authorised after another has paid the order is refunded at once', async () => {
  const { api, control, createOrder } = await startForTest();
  const order = await createOrder();
  const slow = await control('POST', '/pay', { order_id: order.id, outcome: 'pending' });
  await control('POST', '/pay', { order_id: order.id });
  const path = `/payments/${String(slow.body['razorpay_payment_id'])}`;
  expect((await control('POST', `${path}/authorize`)).body).toMatchObject({
    status: 'refunded',
    captured: false,
    refund_status: 'full',
  });
  expect((await api('GET', `${path}/refunds`)).body).toMatchObject({
    count: 1,
    items: [{ amount: order.amount, status: 'processed' }],
  });
});

test('the behaviour sets the next outcomes, wrong amounts, wrong signatures and missing responses', async () => {
  const { api, control, createOrder } = await startForTest();
  await control('PUT', '/behaviour', { nextPayments: ['card_declined', 'success'], captureWrongAmountPaise: 100 });
  const order = await createOrder();
  expect((await control('POST', '/pay', { order_id: order.id })).body).toMatchObject({
    error: { reason: 'card_declined' },
  });
  const paid = await control('POST', '/pay', { order_id: order.id });
  expect((await api('GET', `/payments/${String(paid.body['razorpay_payment_id'])}`)).body).toMatchObject({
    amount: 100,
    status: 'captured',
  });
  expect((await control('GET', '/behaviour')).body).toMatchObject({ nextPayments: [], captureWrongAmountPaise: 100 });

  await control('PUT', '/behaviour', { checkoutReturn: 'wrong-signature' });
  const wrong = await control('POST', '/pay', { order_id: (await createOrder()).id });
  const { razorpay_order_id: orderId, razorpay_payment_id: paymentId, razorpay_signature: signature } = wrong.body;
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(signature).not.toBe(checkoutSignature(keySecret, String(orderId), String(paymentId)));

  await control('PUT', '/behaviour', { checkoutReturn: 'browser-never-returns' });
  const silent = await control('POST', '/pay', { order_id: (await createOrder()).id });
  expect(silent).toMatchObject({ status: 202, body: { status: 'captured' } });
  expect(silent.body).not.toHaveProperty('razorpay_signature');
});

test('rejects a misspelt behaviour without changes', async () => {
  const { control } = await startForTest();
  expect((await control('PUT', '/behaviour', { refunds: 'maybe' })).status).toBe(400);
  expect((await control('PUT', '/behaviour', { webhook: {} })).status).toBe(400);
  expect((await control('GET', '/behaviour')).body).toMatchObject({ refunds: 'ok', webhooks: { enabled: true } });
});
