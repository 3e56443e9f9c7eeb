import { expect, test } from 'vitest';
import { webhookSignature } from '#ship/standins/razorpay/signature.ts';
import { startStandins } from '#ship/standins/standins.ts';
import {
  send,
  startForTest,
  startReceiver,
  temporaryFolder,
  testConfig,
  webhookSecret,
} from '#ship/standins/testing.ts';

test('a paid order sends authorized, captured and order.paid, each signed over its raw body', async () => {
  const { received, url } = await startReceiver();
  const { control, createOrder } = await startForTest({ webhookUrl: url });
  const order = await createOrder(149_900);
  const { body } = await control('POST', '/pay', { order_id: order.id });
  await expect.poll(() => received.length).toBe(3);
  expect(received.map(({ event }) => event)).toEqual(['payment.authorized', 'payment.captured', 'order.paid']);
  for (const { raw, headers } of received) {
    expect(headers['x-razorpay-signature']).toBe(webhookSignature(webhookSecret, raw));
    expect(headers['content-type']).toBe('application/json');
  }
  expect(new Set(received.map(({ headers }) => headers['x-razorpay-event-id'])).size).toBe(3);
  expect(JSON.parse(received[1]?.raw ?? '')).toMatchObject({
    entity: 'event',
    account_id: 'acc_LOCALTEST00001',
    event: 'payment.captured',
    contains: ['payment'],
    payload: {
      payment: {
        entity: { id: body['razorpay_payment_id'], status: 'captured', base_amount: 149_900, card: { last4: '1007' } },
      },
    },
    created_at: expect.any(Number),
  });
  expect(JSON.parse(received[2]?.raw ?? '')).toMatchObject({
    contains: ['payment', 'order'],
    payload: {
      order: { entity: { id: order.id, status: 'paid', amount_paid: 149_900, amount_due: 0, attempts: 1, notes: [] } },
    },
  });
});

test('failures and refunds are sent as well, with the payment as it was at that time', async () => {
  const { received, url } = await startReceiver();
  const { api, control, createOrder } = await startForTest({ webhookUrl: url });
  const order = await createOrder(50_000);
  await control('POST', '/pay', { order_id: order.id, outcome: 'card_declined' });
  const { body } = await control('POST', '/pay', { order_id: order.id });
  await api('POST', `/payments/${String(body['razorpay_payment_id'])}/refund`, { amount: 20_000 });
  await control('PUT', '/behaviour', { refunds: 'pending' });
  const pending = await api('POST', `/payments/${String(body['razorpay_payment_id'])}/refund`, {});
  await control('POST', `/refunds/${pending.body['id']}/fail`);
  await expect.poll(() => received.length).toBe(8);
  expect(received.map(({ event }) => event)).toEqual([
    'payment.failed',
    'payment.authorized',
    'payment.captured',
    'order.paid',
    'refund.created',
    'refund.processed',
    'refund.created',
    'refund.failed',
  ]);
  expect(JSON.parse(received[0]?.raw ?? '')).toMatchObject({
    payload: { payment: { entity: { status: 'failed', captured: false, error_reason: 'card_declined' } } },
  });
  expect(JSON.parse(received[5]?.raw ?? '')).toMatchObject({
    contains: ['refund', 'payment'],
    payload: {
      refund: { entity: { amount: 20_000, status: 'processed' } },
      payment: { entity: { status: 'captured', amount_refunded: 20_000, refund_status: 'partial' } },
    },
  });
});

test('duplicates keep the event id, shuffling reverses the order, wrong signatures are invalid', async () => {
  const { received, url } = await startReceiver();
  const { control, createOrder } = await startForTest({ webhookUrl: url });
  await control('PUT', '/behaviour', { webhooks: { duplicates: 1, shuffle: true, signWith: 'wrong' } });
  await control('POST', '/pay', { order_id: (await createOrder()).id });
  await expect.poll(() => received.length).toBe(6);
  const events = ['order.paid', 'payment.captured', 'payment.authorized'];
  expect(received.map(({ event }) => event)).toEqual(events.flatMap((event) => [event, event]));
  expect(new Set(received.map(({ headers }) => headers['x-razorpay-event-id'])).size).toBe(3);
  for (const { raw, headers } of received) {
    expect(headers['x-razorpay-signature']).not.toBe(webhookSignature(webhookSecret, raw));
  }
});

test('a rejected delivery is retried, the same event with the same body', async () => {
  const { received, url } = await startReceiver((count) => (count === 1 ? 500 : 200));
  const { control, createOrder } = await startForTest({ webhookUrl: url });
  await control('POST', '/pay', { order_id: (await createOrder()).id, outcome: 'card_declined' });
  await expect.poll(() => received.length).toBe(2);
  const [first, second] = received;
  expect(second?.raw).toBe(first?.raw);
  expect(second?.headers['x-razorpay-event-id']).toBe(first?.headers['x-razorpay-event-id']);
  await expect
    .poll(async () => (await control('GET', '/webhooks')).body['items'])
    .toMatchObject([{ event: 'payment.failed', status: 'delivered', attempts: 2, lastAnswer: '200' }]);
});

test('withheld events are sent when they are replayed, with old or with new ids', async () => {
  const { received, url } = await startReceiver();
  const { control, createOrder } = await startForTest({ webhookUrl: url });
  await control('PUT', '/behaviour', { webhooks: { enabled: false } });
  const { body } = await control('POST', '/pay', { order_id: (await createOrder()).id });
  const paymentId = body['razorpay_payment_id'];
  const replay = (more: object) => control('POST', '/webhooks/replay', { payment_id: paymentId, ...more });
  expect((await replay({ event: 'payment.captured', times: 2 })).body).toEqual({ deliveries: 2 });
  await expect.poll(() => received.length).toBe(2);
  expect((await replay({ event: 'payment.captured', newEventIds: true })).body).toEqual({ deliveries: 1 });
  await expect.poll(() => received.length).toBe(3);
  const ids = received.map(({ headers }) => headers['x-razorpay-event-id']);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
  expect((await replay({})).body).toEqual({ deliveries: 3 });
});

test('queued deliveries survive a restart', async () => {
  const dataDir = temporaryFolder();
  const { received, url } = await startReceiver();
  // Its clock stands still, so no delivery is due before the restart.
  const startedAt = Date.now();
  const first = await startStandins(testConfig(dataDir, url), () => startedAt);
  await send('PUT', `${first.razorpayUrl}/standin/behaviour`, { webhooks: { delayMs: 400 } });
  const authorization = 'Basic cnpwX3Rlc3RfTE9DQUwwMDAwMDAwMDE6cnpwX3NhbmRib3hfc2VjcmV0XzAwMDA=';
  const order = await send(
    'POST',
    `${first.razorpayUrl}/v1/orders`,
    { amount: 500, currency: 'INR' },
    { authorization },
  );
  await send('POST', `${first.razorpayUrl}/standin/pay`, { order_id: order.body['id'] });
  await first.close();
  expect(received).toEqual([]);
  await startForTest({ dataDir, webhookUrl: url });
  await expect.poll(() => received.length).toBe(3);
});
