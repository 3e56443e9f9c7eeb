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
import { addDays } from '#shared/domain/day.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import { runRounds } from '#server/start-rounds.ts';
import { useRenewals } from './test-renewals.ts';

const { the, params, renewal, debits, untilDebits, move, goBefore, cycles, sentToBank, running, add } = useRenewals();

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

/** Somebody attempts to pay an order by UPI, and the portal knows of it, but not what became of it. */
async function attempt(providerOrderId: string, customerId?: string) {
  const { portal } = the();
  const paid = await portal.pay(providerOrderId, {
    method: 'upi',
    outcome: 'pending',
    ...(customerId !== undefined && { customer_id: customerId }),
  });
  const { id } = await portal.portal.db
    .selectFrom('payment_orders')
    .select('id')
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirstOrThrow();
  await reconcileOrder(portal.portal, id);
  return { id, paymentId: String(paid['razorpay_payment_id']) };
}

/** Two unpaid periods after the one that is paid, the link of the later one, and that of both. */
async function twoNext() {
  const { token, portal } = the();
  const first = await next();
  const end = (await running())?.toDate ?? '';
  const second = await add(addDays(end, 30));
  const linkOf = async (...ids: string[]) => {
    const made = { ...params(), body: { billingCycleIds: ids, endsEarlier: false } };
    return new URL((await portal.ask(makePayLink, made, token)).url).hash.slice(1);
  };
  return { first, later: { id: second, link: await linkOf(second) }, both: await linkOf(first.id, second) };
}

test('orders of whoever holds links put no debit off, however often they are asked for, nor do their attempts to pay', async () => {
  const { portal } = the();
  const { first, both } = await twoNext();
  const order = async (link: string) => (await portal.ask(orderByPayLink, { body: { link } })).orderId;
  await order(both);
  await goBefore(5);
  await order(first.link);
  const orderId = await order(both);
  await attempt(orderId);
  await goBefore(4);
  await untilDebits('SENT');
  expect(await read(first.link)).toMatchObject({ state: 'DEBITED' });
});

test('a checkout that the customer has opened puts the debit off for its hour, whatever whoever holds a link asks for then', async () => {
  const { portal, token } = the();
  const { first, both } = await twoNext();
  await goBefore(5);
  await move(1);
  await portal.ask(createOrderOfPeriods, { ...params(), body: { billingCycleIds: [first.id] } }, token);
  await portal.ask(orderByPayLink, { body: { link: both } });
  await runRounds(portal.portal);
  expect(await debits().execute()).toEqual([]);
  await move(1.1 / 24);
  await portal.ask(orderByPayLink, { body: { link: first.link } });
  await runRounds(portal.portal);
  await untilDebits('SENT');
});

test('a transfer that whoever holds a link asks for stops no debit, now or later', async () => {
  const { portal, token } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const { later } = await twoNext();
  await portal.ask(transferByPayLink, { body: { link: later.link } });
  await sentToBank();
  await move(1.1);
  await untilDebits('PAID');
  expect(await renewal()).toMatchObject({ whyNot: null });
  await move(26);
  await goBefore(5);
  await goBefore(4);
  await untilDebits('PAID', 'SENT');
});

test('a debit that the customer has stopped by a transfer stays so when whoever holds a link orders, and until the customer pays otherwise', async () => {
  const { portal, token, customerId } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const { first, later, both } = await twoNext();
  await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds: [first.id] } }, token);
  for (const link of [both, later.link]) {
    await portal.ask(orderByPayLink, { body: { link } });
    expect(await renewal()).toMatchObject({ whyNot: 'by_transfer' });
  }
  await goBefore(5);
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  // The customer's later word.
  const own = { ...params(), body: { billingCycleIds: [first.id, later.id] } };
  await portal.ask(createOrderOfPeriods, own, token);
  expect(await renewal()).toMatchObject({ whyNot: null });
  await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds: [first.id] } }, token);
  await portal.ask(orderByPayLink, { body: { link: both } });
  const account = await portal.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await portal.standin('POST', `/standin/virtual_accounts/${account.id}/credit`, { amount: 149_900 });
  await expect
    .poll(async () => (await cycles()).find(({ id }) => id === first.id)?.status, { timeout: 60_000 })
    .toBe('PAID');
  expect(await debits().execute()).toEqual([]);
});

test('the database keeps that a customer has asked for an order and its transfer', async () => {
  const { portal, token, customerId } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const { first, later } = await twoNext();
  await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds: [first.id] } }, token);
  await portal.ask(transferByPayLink, { body: { link: later.link } });
  const { db } = portal.portal;
  const ofAll = { customer_asked_at: null };
  const orders = db.updateTable('payment_orders').set(ofAll).where('customer_id', '=', customerId);
  await expect(orders.execute()).rejects.toThrow('its customer has asked for it');
  const transfers = db.updateTable('transfer_orders').set(ofAll).where('customer_id', '=', customerId);
  await expect(transfers.execute()).rejects.toThrow('was asked for');
  const byLink = db.updateTable('transfer_orders').set({ customer_asked_at: new Date(portal.portal.clock()) });
  await expect(byLink.where('customer_asked_at', 'is', null).execute()).rejects.toThrow('has not asked for order');
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
  const attempted = await attempt(own.orderId, own.mandate?.customerId);
  // The payment that consents is still being confirmed: no webhook says that it lapsed.
  await portal.behave({ webhooks: { enabled: false } });
  await move(0.02);
  expect(await read(link)).toMatchObject({ state: 'CONFIRMING' });
  expect((await portal.send(orderByPayLink, { body: { link } })).body).toMatchObject({ code: 'payment_under_way' });
  // The customer has left the checkout, and the attempt has failed.
  await move(1);
  await reconcileOrder(portal.portal, attempted.id);
  expect(await read(link)).toMatchObject({ state: 'OPEN' });
  expect((await portal.ask(orderByPayLink, { body: { link } })).orderId).not.toBe(own.orderId);
});
