import { expect, test } from 'vitest';
import { startForTest } from '#ship/standins/testing.ts';

async function startWithPayment() {
  const started = await startForTest();
  const order = await started.createOrder(100_000);
  const { body } = await started.control('POST', '/pay', { order_id: order.id });
  const payment = `/payments/${String(body['razorpay_payment_id'])}`;
  const refund = (request: unknown, key?: string) =>
    started.api('POST', `${payment}/refund`, request, key === undefined ? {} : { 'x-refund-idempotency': key });
  return { ...started, payment, refund };
}

test('partial refunds add up to the whole, and not a paisa more', async () => {
  const { api, payment, refund } = await startWithPayment();
  const first = await refund({ amount: 40_000, speed: 'optimum', notes: { why: 'unused days' } });
  expect(first.body).toMatchObject({
    id: expect.stringMatching(/^rfnd_[A-Za-z0-9]{14}$/),
    entity: 'refund',
    amount: 40_000,
    status: 'processed',
    speed_requested: 'optimum',
    speed_processed: 'normal',
    notes: { why: 'unused days' },
    batch_id: null,
  });
  expect((await api('GET', payment)).body).toMatchObject({
    status: 'captured',
    amount_refunded: 40_000,
    refund_status: 'partial',
  });
  expect((await refund({ amount: 60_001 })).body).toMatchObject({
    error: { description: 'The refund amount provided is greater than amount captured.' },
  });
  expect((await refund(undefined)).body).toMatchObject({ amount: 60_000, notes: [] });
  expect((await api('GET', payment)).body).toMatchObject({
    status: 'refunded',
    amount_refunded: 100_000,
    refund_status: 'full',
  });
  expect((await refund(undefined)).body).toMatchObject({
    error: { description: 'The payment has been fully refunded already.' },
  });
  const [id] = [first.body['id']];
  expect((await api('GET', `/refunds/${id}`)).body).toEqual(first.body);
  expect((await api('GET', `${payment}/refunds/${id}`)).body).toEqual(first.body);
  expect((await api('GET', '/refunds')).body).toMatchObject({ count: 2 });
});

test('the idempotency key returns the same refund and rejects a different request', async () => {
  const { refund } = await startWithPayment();
  const key = 'refund-cycle-0001';
  const first = await refund({ amount: 10_000 }, key);
  expect(await refund({ amount: 10_000 }, key)).toEqual(first);
  expect(await refund({ amount: 20_000 }, key)).toMatchObject({
    status: 409,
    body: { error: { description: 'Different request with the same idempotency key has already been processed.' } },
  });
  expect((await refund({ amount: 10_000 }, 'short')).status).toBe(400);
  expect((await refund({ amount: 10_000 }, 'bad key with spaces')).status).toBe(400);
});

test('a key whose request is still running conflicts; after the caller hung up it returns the refund', async () => {
  const { api, control, payment, refund, razorpayUrl } = await startWithPayment();
  await control('PUT', '/behaviour', { refunds: 'timeout-after-create' });
  const caller = new AbortController();
  const unanswered = fetch(`${razorpayUrl}/v1${payment}/refund`, {
    method: 'POST',
    headers: {
      authorization: 'Basic cnpwX3Rlc3RfTE9DQUwwMDAwMDAwMDE6cnpwX3NhbmRib3hfc2VjcmV0XzAwMDA=',
      'content-type': 'application/json',
      'x-refund-idempotency': 'refund-cycle-0002',
    },
    body: JSON.stringify({ amount: 10_000 }),
    signal: caller.signal,
  }).catch(() => 'gone');
  await expect.poll(async () => (await api('GET', '/refunds')).body['count']).toBe(1);
  expect(await refund({ amount: 10_000 }, 'refund-cycle-0002')).toMatchObject({
    status: 409,
    body: { error: { description: 'Another request with the same idempotency key is still in progress.' } },
  });
  caller.abort();
  expect(await unanswered).toBe('gone');
  await expect.poll(async () => (await refund({ amount: 10_000 }, 'refund-cycle-0002')).status).toBe(200);
  expect((await api('GET', '/refunds')).body['count']).toBe(1);
});

test('pending refunds end as the control says, and a failed one releases the amount', async () => {
  const { api, control, payment, refund } = await startWithPayment();
  await control('PUT', '/behaviour', { refunds: 'pending' });
  const { body } = await refund({ amount: 100_000 });
  expect(body).toMatchObject({ status: 'pending' });
  expect((await control('POST', `/refunds/${body['id']}/fail`)).body).toMatchObject({ status: 'failed' });
  expect((await api('GET', payment)).body).toMatchObject({
    status: 'captured',
    amount_refunded: 0,
    refund_status: null,
  });
  const again = await refund({ amount: 100_000 });
  expect((await control('POST', `/refunds/${again.body['id']}/process`)).body).toMatchObject({ status: 'processed' });
  expect((await control('POST', `/refunds/${again.body['id']}/fail`)).status).toBe(400);
});

test('a payment of more than six months is not refunded, neither by the API nor on the dashboard', async () => {
  const { api, control, payment, refund } = await startWithPayment();
  await control('POST', '/clock', { advanceMs: 180 * 86_400_000 });
  const key = 'refund-cycle-0003';
  const inTime = await refund({ amount: 40_000 }, key);
  expect(inTime.status).toBe(200);
  await control('POST', '/clock', { advanceMs: 5 * 86_400_000 });
  const refused = {
    status: 400,
    body: {
      error: {
        code: 'BAD_REQUEST_ERROR',
        description: 'Payment is more than 6 months old, only instant refund is supported',
        source: null,
        step: null,
        reason: null,
        metadata: {},
      },
    },
  };
  expect(await refund({ amount: 10_000 })).toEqual(refused);
  expect((await control('POST', `${payment}/refund`, { amount: 10_000 })).status).toBe(400);
  // What was accepted in time is still found by its key.
  expect(await refund({ amount: 40_000 }, key)).toEqual(inTime);
  expect((await api('GET', payment)).body).toMatchObject({ amount_refunded: 40_000 });
});

test('with too low a balance, or a payment that was never captured, nothing is refunded', async () => {
  const { api, control, createOrder, refund } = await startWithPayment();
  await control('PUT', '/behaviour', { refunds: 'insufficient-balance' });
  expect((await refund({ amount: 100 })).status).toBe(400);
  expect((await api('GET', '/refunds')).body['count']).toBe(0);
  const order = await createOrder();
  const pending = await control('POST', '/pay', { order_id: order.id, outcome: 'pending' });
  const refused = await api('POST', `/payments/${String(pending.body['razorpay_payment_id'])}/refund`, {});
  expect(refused.body).toMatchObject({
    error: { description: 'The payment status should be captured for action to be taken' },
  });
});
