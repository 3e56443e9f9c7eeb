import { expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import {
  makePayLink,
  orderByPayLink,
  readPayLink,
  transferByPayLink,
  verifyByPayLink,
} from '#shared/contract/pay-links.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { useRenewals } from './test-renewals.ts';

const { the, params, renewal, debits, untilDebits, move, goBefore, cycles, sentToBank, running } = useRenewals();

const read = (link: string) => the().portal.ask(readPayLink, { body: { link } });

test('a link takes no second money while its debit is at the bank, and the mail of a debit that failed has one that pays at once', async () => {
  const { portal, token, customerId } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  const debit = await sentToBank();
  const cycleId = debit?.cycle_id ?? '';
  const asked = { ...params(), body: { billingCycleIds: [cycleId], endsEarlier: false } };
  const own = new URL((await portal.ask(makePayLink, asked, token)).url).hash.slice(1);
  expect(await read(own)).toMatchObject({ state: 'DEBITED', bill: { lines: [{ planName: 'Growth' }] } });
  const order = await portal.send(orderByPayLink, { body: { link: own } });
  expect(order.body).toMatchObject({ status: 409, code: 'payment_under_way' });
  await move(1.1);
  await untilDebits('FAILED');
  const { body_text: text, subject } = await portal.portal.db
    .selectFrom('mails')
    .select(['body_text', 'subject'])
    .where('customer_id', '=', customerId)
    .where('subject', 'like', 'Renewal not paid%')
    .executeTakeFirstOrThrow();
  const [, link = ''] = /\/pay#(\S+)/.exec(text) ?? [];
  expect(link, subject).toBe(own);
  expect(text).toContain('No account is needed');
  expect(await read(link)).toMatchObject({ state: 'OPEN' });
  const { orderId } = await portal.ask(orderByPayLink, { body: { link } });
  const paid = await portal.pay(orderId, {});
  const body = {
    link,
    orderId,
    paymentId: String(paid['razorpay_payment_id']),
    signature: String(paid['razorpay_signature']),
    email: null,
  };
  expect(await portal.ask(verifyByPayLink, { body })).toEqual({ status: 'success' });
  expect(await read(link)).toEqual({ state: 'PAID', bill: null });
  expect((await cycles()).find(({ id }) => id === cycleId)).toMatchObject({ status: 'PAID' });
  await goBefore(2);
  expect((await debits().execute()).map(({ state }) => state)).toEqual(['FAILED']);
});

/** An unpaid period after the one that is paid, and its link. */
async function next() {
  const { portal, token, activationId } = the();
  const startDate = (await running())?.toDate ?? '';
  const asked = { params: { activationId, planId: 'growth' }, body: { startDate } };
  const { billingCycleId: id = '' } = await portal.ask(addCycle, asked, token);
  const made = { ...params(), body: { billingCycleIds: [id], endsEarlier: false } };
  return { id, link: new URL((await portal.ask(makePayLink, made, token)).url).hash.slice(1) };
}

test('whoever holds a link stops no debit: a transfer that would is offered once the customer has asked for one', async () => {
  const { portal, token } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const { id, link } = await next();
  expect(await read(link)).toMatchObject({ state: 'OPEN', bill: { byTransfer: false } });
  expect((await portal.send(transferByPayLink, { body: { link } })).body).toMatchObject({ code: 'not_found' });
  expect(await renewal()).toMatchObject({ whyNot: null });
  await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds: [id] } }, token);
  expect(await renewal()).toMatchObject({ whyNot: 'by_transfer' });
  expect(await read(link)).toMatchObject({ state: 'OPEN', bill: { byTransfer: true } });
  expect(await portal.ask(transferByPayLink, { body: { link } })).toMatchObject({ amount: 1499 });
});

test('whoever holds a link doesn’t take the place of a consent that the customer is giving', async () => {
  const { portal, token } = the();
  await portal.send(endRenewal, params(), token);
  const { id, link } = await next();
  const body = { billingCycleIds: [id], renewal: { pinEachTime: false } };
  const own = await portal.ask(createOrderOfPeriods, { ...params(), body }, token);
  expect(await read(link)).toMatchObject({ state: 'CONFIRMING' });
  expect((await portal.send(orderByPayLink, { body: { link } })).body).toMatchObject({ code: 'payment_under_way' });
  expect(await portal.ask(createOrderOfPeriods, { ...params(), body }, token)).toMatchObject({ orderId: own.orderId });
  // The customer has left the checkout.
  await move(0.02);
  expect(await read(link)).toMatchObject({ state: 'OPEN' });
  expect((await portal.ask(orderByPayLink, { body: { link } })).orderId).not.toBe(own.orderId);
});
