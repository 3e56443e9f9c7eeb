import { expect, test } from 'vitest';
import { checkoutSignature } from '#ship/standins/razorpay/signature.ts';
import { keySecret, send, startForTest } from '#ship/standins/testing.ts';

async function startCheckout() {
  const started = await startForTest();
  const order = await started.createOrder(149_900);
  const session = { key_id: started.keyId, order_id: order.id, amount: '149900', currency: 'INR' };
  const call = (method: string, path: string, body?: unknown) =>
    send(method, `${started.razorpayUrl}/checkout${path}`, body);
  const open = (changed: object = {}) =>
    call('GET', `/session?${new URLSearchParams({ ...session, ...changed }).toString()}`);
  const pay = (method: object) => call('POST', '/payments', { ...session, ...method });
  return { ...started, order, call, open, pay };
}

test('the session has the order, and rejects another amount, currency, key or order', async () => {
  const { open, order } = await startCheckout();
  expect((await open()).body).toMatchObject({ order: { id: order.id, amount: 149_900, currency: 'INR' } });
  expect((await open({ amount: '100' })).body).toMatchObject({
    error: {
      description:
        'Your payment amount is different from your order amount. To pay successfully, please try using right amount.',
    },
  });
  expect((await open({ currency: 'USD' })).status).toBe(400);
  expect((await open({ key_id: 'rzp_test_OTHER000000001' })).status).toBe(401);
  expect((await open({ order_id: 'order_AAAAAAAAAAAAAA' })).body).toMatchObject({
    error: { description: 'The id provided does not exist' },
  });
});

test('a card requires the OTP; four digits pay and return the signature', async () => {
  const { call, order, pay } = await startCheckout();
  const started = await pay({ method: 'card', card: { number: '4100280000001007' } });
  expect(started.body).toMatchObject({ status: 'created', awaiting: 'otp', response: null, error: null });
  const id = String(started.body['payment_id']);
  const done = await call('POST', `/payments/${id}/otp`, { otp: '1234' });
  expect(done.body).toMatchObject({
    status: 'captured',
    response: {
      razorpay_payment_id: id,
      razorpay_order_id: order.id,
      razorpay_signature: checkoutSignature(keySecret, order.id, id),
    },
  });
  expect((await call('POST', `/payments/${id}/otp`, { otp: '1234' })).status).toBe(400);
});

test('three digits fail, a declined card fails at once, and the bank page has two outcomes', async () => {
  const { call, pay } = await startCheckout();
  const card = await pay({ method: 'card', card: { number: '4100 2800 0000 1007' } });
  const wrong = await call('POST', `/payments/${String(card.body['payment_id'])}/otp`, { otp: '123' });
  expect(wrong.body).toMatchObject({ status: 'failed', error: { reason: 'authentication_failed' } });
  const declined = await pay({ method: 'card', card: { number: '4100 2800 0006 0003' } });
  expect(declined.body).toMatchObject({ status: 'failed', error: { reason: 'card_declined' } });
  const bank = await pay({ method: 'netbanking', bank: 'SBIN' });
  expect(bank.body).toMatchObject({ awaiting: 'bank-page' });
  const refused = await call('POST', `/payments/${String(bank.body['payment_id'])}/bank`, { success: false });
  expect(refused.body).toMatchObject({ status: 'failed' });
  const second = await pay({ method: 'netbanking', bank: 'SBIN' });
  const paid = await call('POST', `/payments/${String(second.body['payment_id'])}/bank`, { success: true });
  expect(paid.body).toMatchObject({ status: 'captured' });
});

test('cancelling ends an OTP page, and has no effect on what the bank has been asked', async () => {
  const { call, control, pay } = await startCheckout();
  const card = await pay({ method: 'card', card: { number: '4100 2800 0000 1007' } });
  const cancelled = await call('POST', `/payments/${String(card.body['payment_id'])}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'failed', error: { reason: 'payment_cancelled' } });
  await control('PUT', '/behaviour', { lateAuthorisation: {} });
  const second = await pay({ method: 'card', card: { number: '4100 2800 0000 1007' } });
  const path = `/payments/${String(second.body['payment_id'])}`;
  await call('POST', `${path}/otp`, { otp: '1234' });
  expect((await call('POST', `${path}/cancel`)).body).toMatchObject({ status: 'created', awaiting: 'answer' });
});

test('a browser that never returns gets no signature although the money is captured', async () => {
  const { call, control, pay } = await startCheckout();
  await control('PUT', '/behaviour', { checkoutReturn: 'browser-never-returns' });
  const card = await pay({ method: 'card', card: { number: '4100 2800 0000 1007' } });
  const done = await call('POST', `/payments/${String(card.body['payment_id'])}/otp`, { otp: '1234' });
  expect(done.body).toMatchObject({ status: 'captured', response: null, error: null });
});

test('a second payment on an order that was paid meanwhile is refunded, and its checkout ends with the signature', async () => {
  const { call, order, pay } = await startCheckout();
  const card = { method: 'card', card: { number: '4100280000001007' } };
  const [first, second] = [await pay(card), await pay(card)].map(({ body }) => String(body['payment_id']));
  await call('POST', `/payments/${first}/otp`, { otp: '1234' });
  const late = await call('POST', `/payments/${second}/otp`, { otp: '1234' });
  expect(late.body).toMatchObject({
    status: 'refunded',
    response: { razorpay_payment_id: second, razorpay_order_id: order.id },
  });
});

test('the sheet forbids inline code and foreign frames; the script needs no key', async () => {
  const { razorpayUrl } = await startCheckout();
  const sheet = await fetch(`${razorpayUrl}/checkout?origin=http://localhost:4000`);
  const policy = sheet.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain('frame-ancestors http://localhost:* http://127.0.0.1:*');
  expect(policy).not.toContain('unsafe');
  const script = await fetch(`${razorpayUrl}/v1/checkout.js`);
  expect(script.headers.get('content-type')).toContain('text/javascript');
});
