import { expect, test } from 'vitest';
import { customer, dayMs, hourMs, startMandates } from '#ship/standins/testing-mandates.ts';

test('a customer is found again by e-mail and phone with fail_existing "0", and refused without', async () => {
  const { api, customerId } = await startMandates();
  const again = await api('POST', '/customers', { ...customer, name: 'Other Name', fail_existing: '0' });
  expect(again).toMatchObject({ status: 200, body: { id: customerId, entity: 'customer', gstin: null, notes: [] } });
  const refused = { error: { description: 'Customer already exists for the merchant', reason: 'NA' } };
  expect(await api('POST', '/customers', customer)).toMatchObject({ status: 400, body: refused });
  expect(await api('POST', '/customers', { ...customer, fail_existing: 0 })).toMatchObject({ body: refused });
  const edited = await api('PUT', `/customers/${customerId}`, { contact: '+919845099999' });
  expect(edited.body).toMatchObject({ contact: '+919845099999', email: customer.email });
  expect((await api('GET', `/customers/${customerId}`)).body).toEqual(edited.body);
});

test.each([
  [{ max_amount: 10_000_000 }, 'The token.max_amount must be between 100 and 9999900.'],
  [{ max_amount: 99 }, 'The token.max_amount must be between 100 and 9999900.'],
  [{ frequency: 'hourly' }, 'The selected token.frequency is invalid.'],
  [{ colour: 'green' }, 'colour is/are not required and should not be sent'],
])('an order refuses a token of %j', async (token, description) => {
  const { api, customerId } = await startMandates();
  const order = { amount: 149_900, currency: 'INR', customer_id: customerId, method: 'upi' };
  const asked = { max_amount: 1_500_000, frequency: 'as_presented', ...token };
  expect(await api('POST', '/orders', { ...order, token: asked })).toMatchObject({
    status: 400,
    body: { error: { description, reason: 'input_validation_failed' } },
  });
  const card = { ...order, method: 'card', token: { max_amount: 1_500_100, frequency: 'monthly' } };
  expect((await api('POST', '/orders', card)).status).toBe(400);
});

test('a first payment with recurring gives a mandate, which is confirmed and listed', async () => {
  const { api, customerId, events, register } = await startMandates();
  const { payment, tokenId } = await register();
  expect(payment).toMatchObject({ status: 'captured', customer_id: customerId, method: 'upi' });
  const list = await api('GET', `/customers/${customerId}/tokens`);
  expect(list.body).toMatchObject({
    count: 1,
    items: [
      {
        id: tokenId,
        entity: 'token',
        method: 'upi',
        vpa: { username: 'payer', handle: 'razorpay', name: null },
        recurring: true,
        recurring_details: { status: 'confirmed', failure_reason: null },
        max_amount: 1_500_000,
      },
    ],
  });
  await expect.poll(events).toEqual(['payment.authorized', 'token.confirmed', 'payment.captured', 'order.paid']);
});

test('a payment of the same order without recurring gives no mandate, and another method is refused', async () => {
  const { control, register } = await startMandates();
  const { paid, payment } = await register({}, { customer_id: undefined });
  expect(paid.status).toBe(200);
  expect(payment).not.toHaveProperty('token_id');
  expect((await control('GET', '/tokens')).body['items']).toEqual([]);
});

test('a first payment that fails rejects the mandate, which the list leaves out', async () => {
  const { api, customerId, events, register, statusOf } = await startMandates();
  const { tokenId } = await register({}, { outcome: 'payment_cancelled' });
  expect(await statusOf(tokenId)).toMatchObject({ status: 'rejected' });
  expect((await api('GET', `/customers/${customerId}/tokens`)).body).toMatchObject({ count: 0 });
  await expect.poll(events).toEqual(['payment.failed', 'token.rejected']);
});

test('a cancellation by the business waits for the network, which may refuse it', async () => {
  const { advance, api, customerId, events, mandates, register, statusOf } = await startMandates();
  const { tokenId } = await register();
  const cancel = () => api('PUT', `/customers/${customerId}/tokens/${tokenId}/cancel`);
  await mandates({ cancellation: 'fail', cancelAfterMs: hourMs });
  expect(await cancel()).toEqual({ status: 200, body: { status: 'cancellation_initiated' } });
  expect(await statusOf(tokenId)).toMatchObject({ status: 'cancellation_initiated' });
  expect((await cancel()).status).toBe(400);
  await advance(hourMs);
  expect(await statusOf(tokenId)).toMatchObject({ status: 'confirmed' });
  await mandates({});
  await cancel();
  await advance(hourMs);
  expect(await statusOf(tokenId)).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => events().slice(4)).toEqual(['token.cancelled']);
});

test('a paused mandate refuses its pending debit, and resumes without an event', async () => {
  const { advance, control, debit, events, read, register, statusOf } = await startMandates();
  const { tokenId } = await register();
  const id = await debit(tokenId);
  await control('POST', `/tokens/${tokenId}/pause`);
  await advance(25 * hourMs);
  expect(await read(id)).toMatchObject({ status: 'failed', error_reason: 'mandate_not_active' });
  await control('POST', `/tokens/${tokenId}/resume`);
  expect(await statusOf(tokenId)).toMatchObject({ status: 'confirmed' });
  await expect.poll(() => events().slice(4)).toEqual(['token.paused', 'payment.failed']);
});

test('a mandate expires, its debit fails, and the list leaves it out', async () => {
  const { advance, api, askDebit, customerId, register, statusOf } = await startMandates();
  const { tokenId } = await register();
  await advance(401 * dayMs);
  expect(await statusOf(tokenId)).toMatchObject({ status: 'expired' });
  expect((await api('GET', `/customers/${customerId}/tokens`)).body).toMatchObject({ count: 0 });
  expect((await askDebit(tokenId)).body).toMatchObject({ error: { reason: 'mandate_expired', source: 'business' } });
});
