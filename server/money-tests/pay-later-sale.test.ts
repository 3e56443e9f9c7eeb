import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { payLater } from '#shared/contract/credit.ts';
import { buyPack } from '#shared/contract/cycles.ts';
import {
  makePayLink,
  orderByPayLink,
  readPayLink,
  transferByPayLink,
  verifyByPayLink,
} from '#shared/contract/pay-links.ts';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { remindOfBills } from '#server/features/timed-events/bill-reminders.ts';
import { allowed, billed, setTerms, termsCause } from './test-credit.ts';
import { catalogThatRefunds, dayMs, hourMs, type Money, startMoney } from './test-money.ts';
import { businessProfile, declareTds } from './test-tds.ts';
import { accountIdOf, asking, price, transfersAt } from './test-transfers.ts';

/** What may be sold on credit terms, what happens to money that is under way meanwhile, and links that pay a bill. */

let money: Money;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
});
afterAll(() => money.close());

const { noFaults } = transfersAt(() => money);
const today = () => dayOf(money.portal.clock());
const settle = () => money.work(money.portal, 3 * hourMs);
type Allowed = Awaited<ReturnType<typeof allowed>>;

const sell = ({ activationId, cycleId, token }: Allowed) =>
  money.send(payLater, { params: { activationId }, body: { billingCycleId: cycleId } }, token);

test('terms are for a business: whoever has taken out the GSTIN pays at once', async () => {
  const one = await allowed(money);
  await money.ask(updateProfile, { body: { ...businessProfile, gstin: null } }, one.token);
  expect((await sell(one)).body).toMatchObject({ code: 'no_credit_terms' });
  expect(await one.credit()).toMatchObject({ terms: null, due: 0 });
  await money.ask(updateProfile, { body: businessProfile }, one.token);
  expect((await sell(one)).status).toBe(200);
  await noFaults();
});

test('no units are added to a plan whose calls are refused, until its bill is paid', async () => {
  const one = await billed(money, { days: 1, stopAfterDays: 0 });
  const pack = () =>
    money.send(buyPack, { params: { activationId: one.activationId, packId: 'extra-100' } }, one.token);
  const added = await money.ask(
    buyPack,
    { params: { activationId: one.activationId, packId: 'extra-100' } },
    one.token,
  );
  const packId = added.billingCycleId ?? '';
  const order = () => money.send(createOrder, { params: { id: packId } }, one.token);
  const { orderId: early } = await money.ask(createOrder, { params: { id: packId } }, one.token);
  money.moveClock(2 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 2 * dayMs });
  expect((await pack()).body).toMatchObject({ code: 'plan_stopped' });
  expect((await order()).body).toMatchObject({ code: 'plan_stopped' });
  // One that was ordered before is not sold either.
  await money.checkOut(early);
  await settle();
  const { status } = await money.portal.db
    .selectFrom('cycles')
    .select('status')
    .where('id', '=', packId)
    .executeTakeFirstOrThrow();
  expect(status).toBe('PAYMENT_PENDING');
  const back = await money.portal.db
    .selectFrom('refunds')
    .select(['reason', 'amount_paise'])
    .where('customer_id', '=', one.customerId)
    .execute();
  expect(back).toEqual([{ reason: expect.stringMatching(/^A bill is overdue/), amount_paise: 4900 }]);
  await money.buy(one.token, one.cycleId);
  expect((await order()).status).toBe(200);
  await noFaults();
});

test('a payment that was made before the sale on terms, and not heard of, pays the plan', async () => {
  const one = await allowed(money);
  const { orderId } = await one.order();
  await money.checkOut(orderId);
  expect((await sell(one)).body).toMatchObject({ code: 'nothing_to_pay' });
  expect(await one.credit()).toMatchObject({ due: 0, bills: [] });
  expect(
    await money.portal.db
      .selectFrom('payments')
      .select(['use', 'method'])
      .where('customer_id', '=', one.customerId)
      .execute(),
  ).toMatchObject([{ use: 'CYCLE', method: expect.not.stringContaining('terms') }]);
  await noFaults();
});

test('a transfer for which the customer had the account number pays the bill once it comes', async () => {
  const one = await asking(money);
  await setTerms(money, one.customerId);
  const asked = { params: { activationId: one.activationId }, body: { billingCycleId: one.cycleId } };
  expect((await money.send(payLater, asked, one.token)).status).toBe(200);
  await one.credit(price);
  await settle();
  const bill = await money.portal.db
    .selectFrom('credit_bills')
    .selectAll()
    .where('cycle_id', '=', one.cycleId)
    .executeTakeFirstOrThrow();
  expect(bill).toMatchObject({ due_paise: 0 });
  expect(await one.refunds()).toEqual([]);
  await noFaults();
});

test('a transfer for which a holder of the link had the account number pays the bill once it comes', async () => {
  const one = await allowed(money);
  const params = { activationId: one.activationId };
  const { url } = await money.ask(
    makePayLink,
    { params, body: { billingCycleIds: [one.cycleId], endsEarlier: false } },
    one.token,
  );
  await money.ask(transferByPayLink, { body: { link: new URL(url).hash.slice(1) } });
  const accountId = await accountIdOf(money, one.customerId);
  await one.later();
  await money.standin('POST', `/standin/virtual_accounts/${accountId}/credit`, { amount: price });
  await settle();
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('a rest below a rupee, which nobody can pay, stands in no list and keeps no link from the plans that are unpaid', async () => {
  const one = await billed(money);
  const refund = { of: one.cycleId, amount: 1372 };
  await actAsOperator(money.portal, 'finance', 'refundPayment', refund, termsCause);
  const claimId = await declareTds(money, one, one.cycleId, 12_650);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, termsCause);
  expect(await one.bill()).toMatchObject({ due_paise: 50 });
  expect(await one.credit()).toMatchObject({ bills: [{ state: 'PAID' }] });
  const next = await one.next(40);
  expect(await readAsOperator(money.portal, 'finance', 'findPayLink', { id: one.activationId })).toMatchObject({
    state: 'OPEN',
    plans: [{ cycleId: next }],
  });
  expect((await readAsOperator(money.portal, 'finance', 'listBills', { customerId: one.customerId })).bills).toEqual(
    [],
  );
  await noFaults();
});

test('a link pays a bill: it shows the invoice and what is due of it, and whoever pays gets the invoice', async () => {
  const one = await allowed(money);
  const of = { params: { activationId: one.activationId } };
  const make = async () => {
    const body = { billingCycleIds: [one.cycleId], endsEarlier: false };
    const { url } = await money.ask(makePayLink, { ...of, body }, one.token);
    return new URL(url).hash.slice(1);
  };
  const read = (text: string) => money.ask(readPayLink, { body: { link: text } });
  const early = await make();
  await one.later();
  const link = await make();
  expect(link).toBe(early);
  const [invoice] = await one.documents();
  expect(await read(early)).toMatchObject({
    state: 'OPEN',
    bill: {
      amount: 1499,
      taxableValue: 1270.34,
      invoice: { number: invoice?.number, total: 1499, dueOn: addDays(today(), 30) },
    },
  });
  const refund = { of: one.cycleId, amount: 499 };
  await actAsOperator(money.portal, 'finance', 'refundPayment', refund, termsCause);
  // Who is blocked buys nothing, and pays what is owed.
  const block = { customerId: one.customerId };
  await actAsOperator(money.portal, 'owner', 'blockCustomer', block, termsCause);
  expect(await read(link)).toMatchObject({ state: 'OPEN', bill: { amount: 1000, invoice: { total: 1499 } } });
  expect(await readAsOperator(money.portal, 'finance', 'findPayLink', { id: one.cycleId })).toMatchObject({
    state: 'OPEN',
    plans: [{ cycleId: one.cycleId, price: 1000 }],
  });
  const { orderId } = await money.ask(orderByPayLink, { body: { link } });
  const paid = await money.checkOut(orderId);
  const body = { ...paid, link, email: 'accounts@example.com' };
  expect(await money.ask(verifyByPayLink, { body })).toMatchObject({ status: 'success' });
  expect(await read(link)).toMatchObject({ state: 'PAID', bill: null });
  const mails = await money.portal.db
    .selectFrom('mails')
    .selectAll()
    .where('recipient', '=', 'accounts@example.com')
    .execute();
  expect(mails).toHaveLength(1);
  await noFaults();
});

test('a link for several plans ends when one of them is begun to be paid later, and one of a bill that credit notes took away has nothing to pay', async () => {
  const one = await allowed(money, { limit: 9000 });
  const next = await one.next(30);
  const params = { activationId: one.activationId };
  const body = { billingCycleIds: [one.cycleId, next], endsEarlier: false };
  const { url } = await money.ask(makePayLink, { params, body }, one.token);
  const state = async (text: string) => (await money.ask(readPayLink, { body: { link: text } })).state;
  const link = new URL(url).hash.slice(1);
  expect(await state(link)).toBe('OPEN');
  await one.later();
  await one.later(next);
  expect(await state(link)).toBe('REPLACED');
  const ordered = { params, body: { billingCycleIds: [one.cycleId, next] } };
  expect((await money.send(createOrderOfPeriods, ordered, one.token)).status).toBe(409);
  const ofBill = { billingCycleIds: [one.cycleId], endsEarlier: false };
  const bill = new URL((await money.ask(makePayLink, { params, body: ofBill }, one.token)).url).hash.slice(1);
  expect(await state(bill)).toBe('OPEN');
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: one.cycleId }, termsCause);
  expect(await state(bill)).toBe('REPLACED');
  await noFaults();
});

test('mails about a bill carry its link', async () => {
  const one = await billed(money);
  const { body_text: text } = await money.portal.db
    .selectFrom('mails')
    .select('body_text')
    .where('customer_id', '=', one.customerId)
    .where('subject', 'like', 'Invoice to pay by%')
    .executeTakeFirstOrThrow();
  expect(text).toContain(`/pay#${one.cycleId}.`);
});

test('bank transfer is offered to who holds the link of a bill', async () => {
  const one = await billed(money);
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  expect(await money.ask(payByTransfer, asked, one.token)).toMatchObject({ amount: 1499 });
});

test('a bill whose plan has ended by the day on which plans stop is told as overdue: nothing stops', async () => {
  const one = await billed(money, { days: 30, stopAfterDays: 5 });
  money.moveClock(36 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 36 * dayMs });
  await remindOfBills(money.portal, today(), { customers: 'all', items: unrecorded });
  const mails = await money.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('customer_id', '=', one.customerId)
    .where('subject', 'like', '%overdue%')
    .execute();
  expect(mails).toMatchObject([
    {
      subject: expect.stringMatching(/^Payment overdue: ₹1,499 for /),
      body_text: expect.stringMatching(/₹1,499 for .* was due on .*Nothing more can be paid later until it is paid/s),
    },
  ]);
  expect(mails[0]?.body_text).not.toContain('refused');
  await noFaults();
});
