import { expect, test } from 'vitest';
import { qrCodeLifetimeMs } from '#ship/standins/razorpay/upi.ts';
import { send, startForTest, startReceiver } from '#ship/standins/testing.ts';

const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

async function startUpi(webhookUrl?: string) {
  const started = await startForTest(webhookUrl === undefined ? {} : { webhookUrl });
  const order = await started.createOrder(117_882);
  const session = { key_id: started.keyId, order_id: order.id, amount: '117882', currency: 'INR' };
  const call = (device: string, method: string, path: string, body?: unknown) =>
    send(method, `${started.razorpayUrl}/checkout${path}`, body, { 'user-agent': device });
  const flowsOn = async (device: string) =>
    (await call(device, 'GET', `/session?${new URLSearchParams(session).toString()}`)).body['flows'];
  const showCode = async () => {
    const { body } = await call(desktop, 'POST', '/qr-codes', {
      ...session,
      name: 'Kaveri & Sons',
      contact: '9845012345',
    });
    const fields = new URL(String(body['link'])).searchParams;
    return { id: String(body['id']), fields, image: String(body['image']), reference: fields.get('tr') ?? '' };
  };
  const openApp = async () => {
    const { body } = await call(android, 'POST', '/payments', { ...session, method: 'upi', name: 'Octroi' });
    const reference = new URL(String(body['link'])).searchParams.get('tr') ?? '';
    return { body, id: String(body['payment_id']), reference };
  };
  const stateOf = async (id: string) => (await call(desktop, 'GET', `/qr-codes/${id}`)).body;
  const phone = (reference: string, act: string, body: object = {}) =>
    started.control('POST', `/upi/${reference}/${act}`, body);
  const paymentsOfOrder = async () => (await started.api('GET', `/orders/${order.id}/payments`)).body;
  return { ...started, order, session, call, flowsOn, showCode, openApp, stateOf, phone, paymentsOfOrder };
}

test('a desktop is offered a QR code, Android its apps, and iOS also an entered UPI ID; anything else is refused', async () => {
  const { flowsOn, call, session } = await startUpi();
  expect(await flowsOn(desktop)).toEqual(['qr']);
  expect(await flowsOn(android)).toEqual(['intent']);
  expect(await flowsOn(iPhone)).toEqual(['intent', 'collect']);
  const typed = { ...session, method: 'upi', vpa: 'success@razorpay' };
  for (const device of [desktop, android]) {
    expect((await call(device, 'POST', '/payments', typed)).body).toMatchObject({
      error: { description: 'This way to pay by UPI is not supported on this device.' },
    });
  }
  expect((await call(android, 'POST', '/qr-codes', session)).status).toBe(400);
  expect((await call(iPhone, 'POST', '/payments', typed)).body).toMatchObject({ status: 'created' });
});

test('a QR code contains NPCI’s link with payee, amount and reference; until it is scanned there is no payment', async () => {
  const { showCode, paymentsOfOrder, stateOf, api, order } = await startUpi();
  const { id, fields, image, reference } = await showCode();
  expect(Object.fromEntries(fields)).toEqual({
    ver: '01',
    mode: '15',
    pa: 'merchant.rzp@razorpay',
    pn: 'Kaveri & Sons',
    tr: reference,
    tn: 'Payment to Kaveri & Sons',
    am: '1178.82',
    cu: 'INR',
    mc: '5817',
  });
  expect(reference).toMatch(/^RZPQ[A-Za-z0-9]{14}$/);
  expect(image).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(await stateOf(id)).toMatchObject({ payment: null });
  expect(await paymentsOfOrder()).toMatchObject({ count: 0 });
  expect((await api('GET', `/orders/${order.id}`)).body).toMatchObject({ status: 'created', attempts: 0 });
});

test('approving a scanned code with the PIN pays, and checkout and webhooks hear of it', async () => {
  const receiver = await startReceiver();
  const { showCode, phone, stateOf, api } = await startUpi(receiver.url);
  const { id, reference } = await showCode();
  const { body: payment } = await phone(reference, 'approve', { pin: '123456' });
  const upi = { payer_account_type: 'bank_account', vpa: 'payer@razorpay' };
  const paid = { status: 'captured', method: 'upi', vpa: 'payer@razorpay', upi, contact: '+919845012345' };
  expect((await api('GET', `/payments/${String(payment['id'])}`)).body).toMatchObject(paid);
  expect(await stateOf(id)).toMatchObject({
    payment: { status: 'captured', response: { razorpay_payment_id: payment['id'] } },
  });
  await expect
    .poll(() => receiver.received.map(({ event }) => event))
    .toEqual(['payment.authorized', 'payment.captured', 'order.paid']);
  expect(await phone(reference, 'approve')).toMatchObject({
    status: 400,
    body: { error: { description: 'This request has been paid already.' } },
  });
});

test('a payer who declines or enters a wrong PIN fails the payment, and the same code can be paid afterwards', async () => {
  const { showCode, phone, stateOf, paymentsOfOrder } = await startUpi();
  const { id, reference } = await showCode();
  await phone(reference, 'decline');
  expect(await stateOf(id)).toMatchObject({ payment: { error: { reason: 'payment_cancelled' } } });
  await phone(reference, 'approve', { pin: '12' });
  expect(await stateOf(id)).toMatchObject({ payment: { error: { reason: 'incorrect_pin' } } });
  await phone(reference, 'approve');
  expect(await paymentsOfOrder()).toMatchObject({
    items: [{ status: 'captured' }, { status: 'failed' }, { status: 'failed' }],
  });
});

test('a code lapses on the stand-in’s clock: nothing failed, and it can’t be paid any more', async () => {
  const { showCode, phone, stateOf, control, paymentsOfOrder } = await startUpi();
  const { id, reference } = await showCode();
  expect((await control('GET', '/upi')).body['requests']).toMatchObject([{ reference, by: 'code', status: 'waiting' }]);
  await control('POST', '/clock', { advanceMs: qrCodeLifetimeMs });
  expect(await stateOf(id)).toEqual({ closes_in_ms: 0, payment: null });
  expect((await control('GET', '/upi')).body['requests']).toEqual([]);
  expect(await phone(reference, 'approve')).toMatchObject({
    status: 400,
    body: { error: { description: 'This request has expired. Start the payment again.' } },
  });
  expect(await paymentsOfOrder()).toMatchObject({ count: 0 });
});

test('an app that is opened has a payment that waits for it; it is paid, or times out after ten minutes', async () => {
  const { openApp, phone, control, api } = await startUpi();
  const lapsed = await openApp();
  expect(lapsed.body).toMatchObject({ status: 'created', awaiting: 'app' });
  expect((await api('GET', `/payments/${lapsed.id}`)).body).toMatchObject({ vpa: null, upi: { flow: 'intent' } });
  await control('POST', '/clock', { advanceMs: 600_000 });
  await expect
    .poll(async () => (await api('GET', `/payments/${lapsed.id}`)).body)
    .toMatchObject({ status: 'failed', error_reason: 'payment_timed_out' });
  expect((await phone(lapsed.reference, 'approve')).status).toBe(400);
  const paid = await openApp();
  expect((await phone(paid.reference, 'approve')).body).toMatchObject({ id: paid.id, status: 'captured' });
});

test('cancelling in the checkout fails the payment, and an app that approves it all the same authorises it late', async () => {
  const { openApp, phone, call } = await startUpi();
  const { id, reference } = await openApp();
  expect((await call(android, 'POST', `/payments/${id}/cancel`)).body).toMatchObject({
    status: 'failed',
    error: { reason: 'payment_cancelled' },
  });
  expect((await phone(reference, 'approve')).body).toMatchObject({ id, status: 'captured', error_reason: null });
  expect((await phone(reference, 'decline')).body).toMatchObject({
    error: { description: 'This request has been answered already.' },
  });
});

test('outcomes of the behaviour apply to what the app approves', async () => {
  const { showCode, phone, control, stateOf } = await startUpi();
  await control('PUT', '/behaviour', { nextPayments: ['insufficient_fund', 'pending'] });
  const { id, reference } = await showCode();
  await phone(reference, 'approve');
  expect(await stateOf(id)).toMatchObject({ payment: { error: { reason: 'insufficient_fund' } } });
  await phone(reference, 'approve');
  expect(await stateOf(id)).toMatchObject({ payment: { status: 'created', awaiting: 'answer' } });
});
