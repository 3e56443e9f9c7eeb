import { expect, test } from 'vitest';
import { startForTest } from '#ship/standins/testing.ts';

async function startWithPayment() {
  const started = await startForTest();
  const order = await started.createOrder(100_000);
  const { body } = await started.control('POST', '/pay', { order_id: order.id });
  return { ...started, paymentId: String(body['razorpay_payment_id']) };
}

test('a refund made on the dashboard is listed, and shows on its payment', async () => {
  const { api, control, paymentId } = await startWithPayment();
  const { body: refund } = await control('POST', `/payments/${paymentId}/refund`, { amount: 30_000 });
  expect(refund).toMatchObject({ entity: 'refund', payment_id: paymentId, receipt: null, status: 'processed' });
  expect((await api('GET', '/refunds?from=0&count=10')).body).toMatchObject({
    count: 1,
    items: [{ id: refund['id'] }],
  });
  expect((await api('GET', `/refunds?from=${Number(refund['created_at']) + 1}`)).body).toMatchObject({ count: 0 });
  expect((await api('GET', `/payments/${paymentId}`)).body).toMatchObject({
    status: 'captured',
    amount_refunded: 30_000,
    refund_status: 'partial',
  });
});

test.each([
  ['won', 0],
  ['closed', 0],
  ['lost', 100_000],
])('a dispute is opened, reviewed and %s; then its status is final', async (status, deducted) => {
  const { api, control, paymentId } = await startWithPayment();
  const { body: opened } = await control('POST', `/payments/${paymentId}/dispute`, {});
  expect(opened).toMatchObject({
    id: expect.stringMatching(/^disp_[A-Za-z0-9]{14}$/),
    entity: 'dispute',
    payment_id: paymentId,
    amount: 100_000,
    amount_deducted: 0,
    status: 'open',
    phase: 'chargeback',
  });
  const path = `/disputes/${String(opened['id'])}`;
  await control('POST', `${path}/under_review`, {});
  await control('POST', `${path}/${status}`, {});
  expect((await api('GET', path)).body).toMatchObject({ status, amount_deducted: deducted });
  expect((await control('POST', `${path}/won`, {})).status).toBe(400);
  expect((await api('GET', '/disputes')).body).toMatchObject({ entity: 'collection', count: 1 });
});
