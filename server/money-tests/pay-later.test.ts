import { afterAll, beforeAll, expect, test } from 'vitest';
import { payLater, readStatement } from '#shared/contract/credit.ts';
import { deleteActivation } from '#shared/contract/activations.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { selectCash } from '#server/features/figures/store.ts';
import { comparedTimes, compareSettlements } from '#server/features/settlements/compare.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sellOnTerms } from '#server/features/payments/payments.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { allowed, billed, setTerms, termsCause } from './test-credit.ts';
import { dayMs, hourMs, type Money, startMoney } from './test-money.ts';
import { accountIdOf, adding, price, tan, tenth, transfersAt } from './test-transfers.ts';
import { payByTransfer, declareTransferTds } from '#shared/contract/bank-transfers.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const { noFaults, balanceOf } = transfersAt(() => money);
const today = () => dayOf(money.portal.clock());
// An account number is asked about again after a while.
const settle = () => money.work(money.portal, 3 * hourMs);

test('a plan is sold on terms with its invoice at once, and paid later without another paper or tax', async () => {
  const one = await allowed(money);
  const before = await balanceOf('customers');
  const { dueOn } = await one.later();
  expect(dueOn).toBe(addDays(today(), 30));
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  const papers = await one.documents();
  expect(papers).toMatchObject([{ kind: 'INVOICE', total_paise: price, content: { dueOn } }]);
  expect((await balanceOf('customers')) - before).toBe(price);
  expect(await one.credit()).toMatchObject({ due: 1499, bills: [{ due: 1499, state: 'DUE' }], terms: { left: 3501 } });
  await noFaults();
  expect(await money.buy(one.token, one.cycleId)).toMatchObject({ status: 'success' });
  expect(await one.credit()).toMatchObject({ due: 0, bills: [{ due: 0, state: 'PAID' }], terms: { left: 5000 } });
  expect(await one.documents()).toHaveLength(1);
  expect(await balanceOf('customers')).toBe(before);
  const params = { from: addDays(today(), -1), to: today() };
  expect(await money.ask(readStatement, { query: params }, one.token)).toMatchObject({
    opening: 0,
    lines: [
      { kind: 'INVOICE', reference: papers[0]?.number, amount: 1499, balance: 1499 },
      { kind: 'PAYMENT', amount: -1499, balance: 0 },
    ],
    closing: 0,
  });
  await noFaults();
  const { rows } = await readTrialBalance(money.portal.db, today());
  expect(rows.reduce((sum, row) => sum + row.debitPaise - row.creditPaise, 0)).toBe(0);
});

test('a bill is paid once: the second payment goes back, and so does one of what is not due any more', async () => {
  const one = await billed(money);
  const { orderId } = await one.order();
  const first = await money.checkOut(orderId);
  // The provider takes no second one on a paid order.
  expect(await money.pay(orderId)).toHaveProperty('error');
  expect(await money.ask(verifyPayment, { body: first }, one.token)).toMatchObject({ status: 'success' });
  expect(await money.send(createOrder, { params: { id: one.cycleId } }, one.token)).toMatchObject({
    body: { code: 'nothing_to_pay' },
  });

  const two = await billed(money);
  const old = await two.order();
  const paid = await money.checkOut(old.orderId);
  // A credit note lowers the bill before the portal hears of the payment.
  const refund = { of: two.cycleId, amount: 499 };
  await actAsOperator(money.portal, 'finance', 'refundPayment', refund, termsCause);
  expect(await money.ask(verifyPayment, { body: paid }, two.token)).toMatchObject({ status: 'refunded' });
  expect(await two.bill()).toMatchObject({ due_paise: 100_000 });
  expect(await two.order()).toMatchObject({ amount: 1000 });
  expect(await money.buy(two.token, two.cycleId)).toMatchObject({ status: 'success' });
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  await settle();
  await noFaults();
});

test('a refund of what is not paid lowers the bill and sends no money; of what is paid, it goes by bank transfer', async () => {
  const one = await billed(money);
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: one.cycleId }, termsCause);
  expect(await one.cycles()).toMatchObject([{ status: 'REFUNDED' }]);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  expect(await one.documents()).toMatchObject([{ kind: 'INVOICE' }, { kind: 'CREDIT_NOTE', total_paise: price }]);
  const refunds = await money.portal.db.selectFrom('refunds').selectAll().where('cycle_id', '=', one.cycleId).execute();
  expect(refunds).toMatchObject([{ payout: 'OFFSET', status: 'PROCESSED', amount_paise: price }]);
  const two = await billed(money);
  await money.buy(two.token, two.cycleId);
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: two.cycleId, amount: 500 }, termsCause);
  const paidBack = await money.portal.db
    .selectFrom('refunds')
    .selectAll()
    .where('cycle_id', '=', two.cycleId)
    .execute();
  expect(paidBack).toMatchObject([{ payout: 'TRANSFER', status: 'STARTED', amount_paise: 50_000 }]);
  await noFaults();
});

test('a period that is taken back before it starts, and a plan that is deleted, end as prepaid ones, and what is due stays due', async () => {
  const one = await billed(money);
  const next = await one.next(30);
  await one.later(next);
  expect(await one.credit()).toMatchObject({ due: 2998 });
  await noFaults();
  const params = { activationId: one.activationId, billingCycleId: next };
  expect(await money.ask(endCycle, { params }, one.token)).toMatchObject({ offsetAmount: 1499, transferAmount: 0 });
  expect(await one.credit()).toMatchObject({ due: 1499 });
  await money.ask(deleteActivation, { params: { activationId: one.activationId } }, one.token);
  expect(await one.credit()).toMatchObject({ due: 1499 });
  // What was used is still to be paid.
  expect(await money.buy(one.token, one.cycleId)).toMatchObject({ status: 'success' });
  expect(await one.credit()).toMatchObject({ due: 0 });
  await noFaults();
});

test('a transfer less the declared tax pays a bill, and the tax is receivable; one without a declaration is held', async () => {
  const one = await billed(money);
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  expect(await money.ask(payByTransfer, asked, one.token)).toMatchObject({
    amount: 1499,
    deductions: [{ percent: 2 }, { percent: 10, tds: 127, amount: 1372 }],
  });
  const id = await accountIdOf(money, one.customerId);
  const credit = (amount: number) => money.standin('POST', `/standin/virtual_accounts/${id}/credit`, { amount });
  await credit(price - 5000);
  await settle();
  expect(await one.bill()).toMatchObject({ due_paise: price });
  // Asking again has the account looked at again.
  await money.ask(payByTransfer, asked, one.token);
  await credit(price - tenth);
  await settle();
  const held = await money.portal.db
    .selectFrom('payments')
    .selectAll()
    .where('use', '=', 'HELD')
    .where('customer_id', '=', one.customerId)
    .executeTakeFirstOrThrow();
  await noFaults();
  const paymentId = held.provider_payment_id;
  const receivable = await balanceOf('tds-receivable');
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, termsCause);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  expect((await balanceOf('tds-receivable')) - receivable).toBe(tenth);
  await noFaults();

  const two = await billed(money);
  await money.ask(
    payByTransfer,
    { ...asked, params: { activationId: two.activationId }, body: { billingCycleIds: [two.cycleId] } },
    two.token,
  );
  await money.ask(declareTransferTds, { body: { declared: { tan, percent: 10 } } }, two.token);
  const accountId = await accountIdOf(money, two.customerId);
  await money.standin('POST', `/standin/virtual_accounts/${accountId}/credit`, { amount: price - tenth });
  await settle();
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  const statement = await money.ask(readStatement, { query: { from: today(), to: today() } }, two.token);
  expect(statement.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['INVOICE', 1499],
    ['PAYMENT', -1372],
    ['TDS', -127],
  ]);
  await noFaults();
  // What goes back of it is cash in proportion, as of any price less tax.
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: two.cycleId, amount: 686 }, termsCause);
  await noFaults();
});

test('a transfer to the own account pays a bill, and the customer needn’t have pressed Pay', async () => {
  const one = await billed(money);
  const bank = await balanceOf('bank');
  const order = await one.order();
  await actAsOperator(
    money.portal,
    'finance',
    'recordReceivedTransfer',
    { of: order.orderId, utr: 'SBIN900015120001', amount: 1499, on: today() },
    termsCause,
  );
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  expect((await balanceOf('bank')) - bank).toBe(price);
  const two = await billed(money);
  await actAsOperator(
    money.portal,
    'finance',
    'recordReceivedTransfer',
    { of: two.cycleId, utr: 'SBIN900015120002', amount: 1372, on: today() },
    termsCause,
  );
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('the limit holds under simultaneous orders through two portals, and the database keeps it alone', async () => {
  const one = await allowed(money, { limit: 1500 });
  const next = await one.next(30);
  const owner = { customerId: one.customerId };
  const other = money.anotherPortal();
  const results = await Promise.allSettled([
    sellOnTerms(money.portal, owner, one.activationId, { cycleId: one.cycleId }),
    sellOnTerms(other, owner, one.activationId, { cycleId: next }),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'credit_limit_reached' },
  });
  expect(await one.credit()).toMatchObject({ due: 1499, terms: { left: 1 } });
  await noFaults();
});

test('without terms, with ended ones, beyond the limit, overdue, blocked or for another customer’s plan nothing is sold on terms', async () => {
  const none = await adding(money);
  const ask = (activationId: string, billingCycleId: string, token: string) =>
    money.send(payLater, { params: { activationId }, body: { billingCycleId } }, token);
  const refused = async (of: { activationId: string; cycleId: string; token: string }) =>
    (await ask(of.activationId, of.cycleId, of.token)).body;
  expect(await refused(none)).toMatchObject({ code: 'no_credit_terms' });
  const small = await allowed(money, { limit: 1498.99 });
  expect(await refused(small)).toMatchObject({ code: 'credit_limit_reached' });
  await setTerms(money, small.customerId, { limit: 0 });
  expect(await refused(small)).toMatchObject({ code: 'no_credit_terms' });
  expect((await ask(small.activationId, none.cycleId, small.token)).status).toBe(404);
  await actAsOperator(money.portal, 'support', 'blockCustomer', { customerId: small.customerId }, termsCause);
  expect(await refused(small)).toMatchObject({ code: 'account_blocked' });
  const late = await billed(money);
  const next = await late.next(40);
  // Terms that end leave what runs.
  await setTerms(money, late.customerId, { limit: 0 });
  expect(await late.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }, { status: 'PAID' }]);
  await setTerms(money, late.customerId, { limit: 9000 });
  money.moveClock(31 * dayMs);
  expect(await refused({ ...late, cycleId: next })).toMatchObject({ code: 'bill_overdue' });
  await noFaults();
});

test('money of a bill that goes back at the provider is due again', async () => {
  const one = await billed(money, { limit: 9000 });
  const { paymentId } = await money.buy(one.token, one.cycleId);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await elsewhere.refundOnDashboard({ ...one, paymentId }, 50_000);
  await pollList(money.portal, 'refunds');
  expect(await one.bill()).toMatchObject({ due_paise: 50_000 });
  expect(await one.credit()).toMatchObject({ due: 500, bills: [{ due: 500, state: 'DUE' }], terms: { left: 8500 } });
  await noFaults();
  await money.buy(one.token, one.cycleId);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });

  const two = await billed(money, { limit: 9000 });
  const second = await money.buy(two.token, two.cycleId);
  const id = await elsewhere.dispute({ ...two, ...second });
  await elsewhere.moveDispute({ ...two, ...second }, id, 'lost');
  expect(await two.bill()).toMatchObject({ due_paise: price });
  expect(await two.cycles()).toMatchObject([{ status: 'PAID' }]);
  const lines = await money.ask(readStatement, { query: { from: today(), to: today() } }, two.token);
  expect(lines.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['INVOICE', 1499],
    ['PAYMENT', -1499],
    ['RETURNED', 1499],
  ]);
  await noFaults();
});

test('a promise was never with the payment provider, so its settlements don’t miss it, and figures count the transfer that pays it', async () => {
  await billed(money);
  const nowMs = money.portal.clock() + 30 * dayMs;
  const found = await compareSettlements(money.portal.db, {
    ...comparedTimes(undefined, nowMs),
    nowMs,
    graceMs: 7 * dayMs,
  });
  expect(found.filter(({ id }) => id.startsWith('TRM-'))).toEqual([]);
  const one = await billed(money);
  const span = { from: addDays(today(), -1), to: addDays(today(), 1) };
  const sum = async () => (await selectCash(money.portal.db, span)).reduce((total, { paise }) => total + paise, 0);
  const before = await sum();
  const transferred = { of: one.cycleId, utr: 'SBIN900015220099', amount: 1499, on: today() };
  await actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', transferred, termsCause);
  expect((await sum()) - before).toBe(price);
});
