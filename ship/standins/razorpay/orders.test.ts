import { expect, test } from 'vitest';
import { send, startForTest } from '#ship/standins/testing.ts';

const valid = { amount: 5000, currency: 'INR' };

test('an order has the documented format, with notes as an array when there are none', async () => {
  const { api } = await startForTest();
  const { status, body } = await api('POST', '/orders', { ...valid, receipt: 'receipt#1', payment_capture: 1 });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.stringMatching(/^order_[A-Za-z0-9]{14}$/),
    entity: 'order',
    amount: 5000,
    amount_due: 5000,
    amount_paid: 0,
    attempts: 0,
    created_at: expect.any(Number),
    currency: 'INR',
    notes: [],
    offer_id: null,
    receipt: 'receipt#1',
    status: 'created',
  });
  expect((await api('GET', `/orders/${body['id']}`)).body).toEqual(body);
  const noted = await api('POST', '/orders', { ...valid, notes: { cycle: 'CYC-1' } });
  expect(noted.body['notes']).toEqual({ cycle: 'CYC-1' });
});

test.each([
  [{ currency: 'INR' }, 'The amount field is required.', 'amount'],
  [{ ...valid, amount: 99 }, 'The amount must be at least INR 1.00', 'amount'],
  [{ ...valid, amount: 1178.82 }, 'The amount must be an integer.', 'amount'],
  [{ ...valid, amount: -500 }, 'The amount must be at least INR 1.00', 'amount'],
  [{ amount: 5000 }, 'The currency field is required.', 'currency'],
  [{ ...valid, receipt: 'r'.repeat(41) }, 'The receipt may not be greater than 40 characters.', 'receipt'],
  [{ ...valid, colour: 'green' }, 'colour is/are not required and should not be sent', 'colour'],
  [
    { ...valid, notes: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, 'v'])) },
    'Number of fields in notes should be less than or equal to 15',
    'notes',
  ],
  [
    { ...valid, notes: { k: 'v'.repeat(257) } },
    'notes keys and values may not be greater than 256 characters.',
    'notes',
  ],
  [
    { ...valid, payment: { capture: 'automatic', capture_options: {} } },
    'The automatic_expiry_period field is required.',
    'payment.automatic_expiry_period',
  ],
])('rejects an order of %j: %s', async (order, description, field) => {
  const { api } = await startForTest();
  const { status, body } = await api('POST', '/orders', order);
  expect(status).toBe(400);
  expect(body).toEqual({
    error: {
      code: 'BAD_REQUEST_ERROR',
      description,
      source: 'business',
      step: 'payment_initiation',
      reason: 'input_validation_failed',
      metadata: {},
      field,
    },
  });
});

test('the longest receipt and the largest notes are accepted', async () => {
  const { api } = await startForTest();
  const notes = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${i}`, 'v'.repeat(256)]));
  expect((await api('POST', '/orders', { ...valid, amount: 100, receipt: 'r'.repeat(40), notes })).status).toBe(200);
});

test('wrong credentials get 401, unknown ids and paths 400', async () => {
  const { api, razorpayUrl } = await startForTest();
  const refused = { status: 401, body: { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } } };
  expect(await send('POST', `${razorpayUrl}/v1/orders`, valid)).toEqual(refused);
  expect(await api('POST', '/orders', valid, { authorization: 'Basic d3Jvbmc6d3Jvbmc=' })).toEqual(refused);
  expect((await api('GET', '/orders/order_AAAAAAAAAAAAAA')).body).toMatchObject({
    error: { description: 'The id provided does not exist' },
  });
  const nowhere = await api('GET', '/nowhere');
  expect(nowhere).toMatchObject({
    status: 400,
    body: { error: { description: 'The requested URL was not found on the server.' } },
  });
  const malformed = await fetch(`${razorpayUrl}/standin/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect(malformed.status).toBe(400);
});

test('orders are found by receipt, newest first, with their payments on request', async () => {
  const { api, control, createOrder } = await startForTest();
  const first = await createOrder(500, { receipt: 'cycle-7' });
  await createOrder(500, { receipt: 'cycle-8' });
  const second = await createOrder(500, { receipt: 'cycle-7' });
  await control('POST', '/pay', { order_id: first.id });
  const { body } = await api('GET', '/orders?receipt=cycle-7&expand[]=payments');
  expect(body).toMatchObject({
    entity: 'collection',
    count: 2,
    items: [
      { id: second.id, payments: { count: 0, items: [] } },
      { id: first.id, payments: { count: 1, items: [{ status: 'captured' }] } },
    ],
  });
  expect((await api('GET', '/orders?count=1&skip=1')).body).toMatchObject({
    count: 1,
    items: [{ receipt: 'cycle-8' }],
  });
  expect((await api('PATCH', `/orders/${first.id}`, { notes: { a: 'b' } })).body['notes']).toEqual({ a: 'b' });
});

test('an order whose response was lost can be found by its receipt', async () => {
  const { api, control, razorpayUrl } = await startForTest();
  await control('PUT', '/behaviour', { ordersCreate: 'fail-after-create-500' });
  expect((await api('POST', '/orders', { ...valid, receipt: 'lost-1' })).status).toBe(500);
  await control('PUT', '/behaviour', { ordersCreate: 'timeout-after-create' });
  const { authorization } = { authorization: 'Basic cnpwX3Rlc3RfTE9DQUwwMDAwMDAwMDE6cnpwX3NhbmRib3hfc2VjcmV0XzAwMDA=' };
  const unanswered = fetch(`${razorpayUrl}/v1/orders`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ...valid, receipt: 'lost-2' }),
    signal: AbortSignal.timeout(300),
  });
  await expect(unanswered).rejects.toThrow('timeout');
  await control('PUT', '/behaviour', { ordersCreate: '429' });
  expect((await api('POST', '/orders', { ...valid, receipt: 'lost-3' })).status).toBe(429);
  const found = await Promise.all(
    ['lost-1', 'lost-2', 'lost-3'].map((receipt) => api('GET', `/orders?receipt=${receipt}`)),
  );
  expect(found.map(({ body }) => body['count'])).toEqual([1, 1, 0]);
});
