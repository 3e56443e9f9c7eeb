import { expect, test } from 'vitest';
import { hourMs, startMandates } from '#ship/standins/testing-mandates.ts';

test('a debit is notified at once and made in the 25th hour', async () => {
  const { advance, api, askDebit, customerId, read, register } = await startMandates();
  const { tokenId } = await register();
  const { body } = await askDebit(tokenId);
  expect(body).toEqual({ razorpay_payment_id: expect.stringMatching(/^pay_/) });
  const id = String(body['razorpay_payment_id']);
  expect(await read(id)).toMatchObject({ status: 'created', customer_id: customerId, token_id: tokenId });
  await advance(25 * hourMs - 1000);
  expect(await read(id)).toMatchObject({ status: 'created' });
  await advance(2000);
  const captured = await read(id);
  expect(captured).toMatchObject({ status: 'captured', amount: 176_882, fee: 3538 + 637 });
  expect((await api('GET', `/orders/${String(captured['order_id'])}`)).body).toMatchObject({ status: 'paid' });
});

test('outside the hours of the network a debit waits for the next ones', async () => {
  const { advance, debit, read, register } = await startMandates();
  const { tokenId } = await register();
  // 11:00 the next day is outside; 13:00 is not.
  await advance(2 * hourMs);
  const id = await debit(tokenId);
  await advance(27 * hourMs - 1000);
  expect(await read(id)).toMatchObject({ status: 'created' });
  await advance(2000);
  expect(await read(id)).toMatchObject({ status: 'captured' });
});

test('a passing failure is retried three times, then the payment fails; it may still be captured', async () => {
  const { advance, control, debit, events, mandates, read, register } = await startMandates();
  const { tokenId } = await register();
  await mandates({ nextDebits: Array.from({ length: 4 }, () => 'insufficient_funds') });
  const id = await debit(tokenId);
  await advance(26 * hourMs);
  expect(await read(id)).toMatchObject({ status: 'created' });
  // 09:00, 10:00 is outside: 13:00, 14:00, 15:00.
  await advance(6 * hourMs);
  expect(await read(id)).toMatchObject({ status: 'failed', error_reason: 'insufficient_funds' });
  const late = await control('POST', `/payments/${id}/authorize`);
  expect(late.body).toMatchObject({ status: 'captured', error_reason: null });
  await expect
    .poll(() => events().slice(4))
    .toEqual(['payment.failed', 'payment.authorized', 'payment.captured', 'order.paid']);
});

test('a lasting failure is not retried, and a debit with its own notification is never', async () => {
  const { advance, askDebit, debit, mandates, read, register } = await startMandates();
  const { tokenId } = await register();
  await mandates({ nextDebits: ['account_changed', 'insufficient_funds'] });
  const first = await debit(tokenId);
  await advance(25 * hourMs);
  expect(await read(first)).toMatchObject({ status: 'failed', error_reason: 'account_changed' });
  const second = await askDebit(tokenId, 5000, {}, { notification: { token_id: tokenId } });
  await advance(28 * hourMs);
  expect(await read(String(second.body['razorpay_payment_id']))).toMatchObject({
    status: 'failed',
    error_reason: 'insufficient_funds',
  });
});

test('no second debit before the result of the first, above the ceiling, or of a mandate that is not confirmed', async () => {
  const { askDebit, control, register } = await startMandates();
  const { tokenId } = await register();
  expect(await askDebit(tokenId, 1_500_001)).toMatchObject({
    status: 400,
    body: { error: { description: 'Amount exceeds maximum amount allowed' } },
  });
  expect((await askDebit(tokenId)).status).toBe(200);
  expect((await askDebit(tokenId)).status).toBe(400);
  const other = await register();
  await control('POST', `/tokens/${other.tokenId}/pause`);
  expect((await askDebit(other.tokenId)).status).toBe(400);
  expect((await askDebit('token_AAAAAAAAAAAAAA')).body).toMatchObject({
    error: { description: 'The id provided does not exist' },
  });
});

test('a monthly mandate is debited once in a month, an as_presented one twice', async () => {
  const { advance, debit, read, register } = await startMandates();
  const monthly = (await register({ frequency: 'monthly' })).tokenId;
  const presented = (await register()).tokenId;
  const first = [await debit(monthly), await debit(presented)];
  await advance(26 * hourMs);
  const second = [await debit(monthly), await debit(presented)];
  await advance(30 * hourMs);
  expect(await Promise.all([...first, ...second].map(read))).toMatchObject([
    { status: 'captured' },
    { status: 'captured' },
    { status: 'failed', error_reason: 'mandate_already_executed' },
    { status: 'captured' },
  ]);
});

test('above ₹15,000 the payer is asked for the PIN, and a debit without it lapses', async () => {
  const { advance, control, debit, read, register } = await startMandates();
  const { tokenId } = await register({ max_amount: 5_000_000 });
  const id = await debit(tokenId, 1_500_100);
  await advance(25 * hourMs);
  expect(await read(id)).toMatchObject({ status: 'created' });
  expect((await control('POST', `/payments/${id}/pin`)).body).toMatchObject({ status: 'captured' });
  // On the payer's phone.
  const second = await debit(tokenId, 2_000_000);
  // 10:00 is outside the hours.
  await advance(28 * hourMs);
  const { requests } = (await control('GET', '/upi')).body;
  expect(requests).toMatchObject([{ link: expect.stringContaining('am=20000.00'), status: 'waiting' }]);
  await control('POST', `/upi/${requests[0].reference}/approve`, { pin: '12' });
  expect(await read(second)).toMatchObject({ status: 'failed', error_reason: 'incorrect_pin' });
  const third = await debit(tokenId, 2_000_000);
  await advance(36 * hourMs);
  expect(await read(third)).toMatchObject({ status: 'failed', error_reason: 'payment_timed_out' });
});

test('the payer skips one debit and keeps the mandate', async () => {
  const { control, debit, register, statusOf } = await startMandates();
  const { tokenId } = await register();
  const id = await debit(tokenId);
  expect((await control('POST', `/payments/${id}/skip`)).body).toMatchObject({
    status: 'failed',
    error_reason: 'payment_cancelled',
  });
  expect(await statusOf(tokenId)).toMatchObject({ status: 'confirmed' });
});

test('a payer who cancels in the app after the notice causes token.cancelled and payment.failed', async () => {
  const { control, debit, events, read, register, statusOf, askDebit } = await startMandates();
  const { tokenId } = await register();
  const id = await debit(tokenId);
  await control('POST', `/tokens/${tokenId}/cancel`);
  expect(await statusOf(tokenId)).toEqual({ status: 'cancelled', failure_reason: null });
  expect(await read(id)).toMatchObject({ status: 'failed', error_reason: 'mandate_not_active' });
  await expect.poll(() => events().slice(4)).toEqual(['token.cancelled', 'payment.failed']);
  expect((await askDebit(tokenId)).body).toMatchObject({ error: { reason: 'mandate_not_active' } });
});

test.each([
  ['fail-403', 403, false],
  ['fail-502', 502, false],
  ['fail-504', 504, false],
  ['fail-after-create-500', 500, true],
  ['fail-after-create-504', 504, true],
] as const)('with %s the debit answers %i, and took effect: %s', async (mode, status, took) => {
  const { api, askDebit, control, register } = await startMandates();
  const { tokenId } = await register();
  await control('PUT', '/behaviour', { recurringCreate: mode });
  expect((await askDebit(tokenId)).status).toBe(status);
  const { items } = (await api('GET', '/orders?receipt=renewal-176882&expand[]=payments')).body;
  expect(items[0].payments).toMatchObject({ count: took ? 1 : 0 });
});
