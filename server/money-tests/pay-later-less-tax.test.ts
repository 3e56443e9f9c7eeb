import { afterAll, beforeAll, expect, test } from 'vitest';
import { declareTransferTds, payByTransfer } from '#shared/contract/bank-transfers.ts';
import { payLater } from '#shared/contract/credit.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { moneyReads } from '#server/features/waiting/money.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { billed, setTerms, termsCause } from './test-credit.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { catalogThatRefunds, dayMs, hourMs, type Money, startMoney } from './test-money.ts';
import { declareTds } from './test-tds.ts';
import { asking, price, recordingsAt, tan, tenth, transfersAt } from './test-transfers.ts';

/** A bill is paid less tax only as it was sold (decision 081). */

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const { noFaults } = transfersAt(() => money);
const { record, preview } = recordingsAt(() => money);
const today = () => dayOf(money.portal.clock());
// An account number is asked about again after a while.
const settle = () => money.work(money.portal, 3 * hourMs);

let acts = 0;
const utr = () => `SBIN7${String((acts += 1)).padStart(11, '0')}`;
const again = () => ({ ...termsCause, reason: `Act ${(acts += 1)}` });
const refund = (cycleId: string, amount?: number) =>
  actAsOperator(
    money.portal,
    'finance',
    'refundPayment',
    { of: cycleId, ...(amount === undefined ? {} : { amount }) },
    again(),
  );

type Billed = Awaited<ReturnType<typeof billed>>;

async function paid(one: Billed) {
  const { paymentId } = await money.buy(one.token, one.cycleId);
  return { paymentId };
}

async function backByDashboard(payment: { paymentId: string }, paise = price): Promise<void> {
  const id = await elsewhere.refundOnDashboard(payment, paise);
  await elsewhere.deliverRefundWebhook(payment, id);
}

async function certificate(one: Billed): Promise<void> {
  const claimId = await declareTds(money, one, one.cycleId, tenth);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, termsCause);
}

async function transferAll({ customerId }: Pick<Billed, 'customerId'>): Promise<void> {
  const open = await money.portal.db
    .selectFrom('refunds')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('payout', '=', 'TRANSFER')
    .where('status', '<>', 'PROCESSED')
    .execute();
  for (const { id: refundId } of open)
    await actAsOperator(money.portal, 'finance', 'recordTransfer', { refundId, utr: utr(), on: today() }, termsCause);
}

const changes: { what: string; change: (one: Billed) => Promise<unknown> }[] = [
  ...[1, 333.33, 499, 1200.01].map((amount) => ({
    what: `after a refund of ₹${amount}`,
    change: (one: Billed) => refund(one.cycleId, amount),
  })),
  {
    what: 'after its plan was ended',
    change: async (one) => {
      money.moveClock(10 * dayMs);
      await money.standin('POST', '/standin/clock', { advanceMs: 10 * dayMs });
      const params = { activationId: one.activationId, billingCycleId: one.cycleId };
      await money.ask(endCycle, { params }, one.token);
    },
  },
  { what: 'after a certificate', change: certificate },
  {
    what: 'after a certificate, its transfer, and the money back at the provider',
    change: async (one) => {
      const payment = await paid(one);
      await certificate(one);
      await transferAll(one);
      await backByDashboard(payment);
    },
  },
  {
    what: 'after its money went back at the provider',
    change: async (one) => {
      await backByDashboard(await paid(one));
    },
  },
  {
    what: 'after a refund by transfer, and the money back at the provider',
    change: async (one) => {
      const payment = await paid(one);
      await refund(one.cycleId, 499);
      await transferAll(one);
      await backByDashboard(payment);
    },
  },
];

test.for(changes)('$what only exactly what is due pays a bill', async ({ change }) => {
  const one = await billed(money);
  await change(one);
  const { due_paise: due } = await one.bill();
  expect(due).toBeGreaterThan(10_000);
  // As an invoice over what is due would have it.
  const part = Math.round(due / 1.18 / 1000) * 100;
  const words = /^₹[\d,.]+ is not what is due for ORD-\w+: ₹[\d,.]+\. Return it from your bank account\.$/;
  for (const paise of [due - part, due - tenth]) {
    const amount = rupees(paise);
    await expect(preview(one.cycleId, utr(), amount)).rejects.toThrow(words);
    await expect(record(one.cycleId, utr(), { amount })).rejects.toThrow(words);
  }
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  expect(await money.ask(payByTransfer, asked, one.token)).toMatchObject({ amount: rupees(due), deductions: [] });
  await noFaults();
  await record(one.cycleId, utr(), { amount: rupees(due) });
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
  await refund(one.cycleId);
  await transferAll(one);
  await noFaults();
});

/** A bill whose customer has an account number. */
async function billedWithAccount() {
  const one = await asking(money);
  await setTerms(money, one.customerId);
  const params = { activationId: one.activationId };
  await money.ask(payLater, { params, body: { billingCycleId: one.cycleId } }, one.token);
  await settle();
  const due = async () => {
    const { db } = money.portal;
    const bill = db.selectFrom('credit_bills').select('due_paise').where('cycle_id', '=', one.cycleId);
    return (await bill.executeTakeFirstOrThrow()).due_paise;
  };
  const payments = () =>
    money.portal.db
      .selectFrom('payments')
      .select(['provider_payment_id', 'use'])
      .where('customer_id', '=', one.customerId)
      .where('method', '<>', 'terms')
      .orderBy('created_at')
      .execute();
  return { ...one, due, payments };
}

test.for([true, false])(
  'a transfer less tax for a lowered bill goes back, declared (%s) or not',
  async (isDeclared) => {
    const one = await billedWithAccount();
    await refund(one.cycleId, 499);
    if (isDeclared) await money.ask(declareTransferTds, { body: { declared: { tan, percent: 10 } } }, one.token);
    expect(await one.askFor(one.cycleId)).toMatchObject({ amount: 1000, deductions: [] });
    await one.credit(91_500);
    await settle();
    expect(await one.payments()).toMatchObject([{ use: 'REFUND' }]);
    expect(await one.due()).toBe(100_000);
    await one.askFor(one.cycleId);
    await one.credit(100_000);
    await settle();
    expect(await one.payments()).toMatchObject([{ use: 'REFUND' }, { use: 'DUE' }]);
    expect(await one.due()).toBe(0);
    expect(await money.portal.db.selectFrom('unsettled_payments').selectAll().execute()).toEqual([]);
    await noFaults();
  },
);

test('a transfer less tax that is held while its bill is lowered can’t pay any more, and goes back', async () => {
  const one = await billedWithAccount();
  await one.askFor(one.cycleId);
  await one.credit(price - tenth);
  await settle();
  const [held] = await one.payments();
  expect(held).toMatchObject({ use: 'HELD' });
  const paymentId = held?.provider_payment_id ?? '';
  await refund(one.cycleId, 499);
  await expect(actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, termsCause)).rejects.toThrow(
    /It can’t pay any more: What may be deducted has changed/,
  );
  await actAsOperator(money.portal, 'finance', 'refundTransfer', { paymentId }, termsCause);
  expect(await one.payments()).toMatchObject([{ use: 'REFUND' }]);
  expect(await one.due()).toBe(100_000);
  await noFaults();
});

test('a certificate over exactly what a held transfer is less lets it pay the bill, and nothing is paid out', async () => {
  const one = await billedWithAccount();
  await one.askFor(one.cycleId);
  await one.credit(price - tenth);
  await settle();
  const paymentId = (await one.payments())[0]?.provider_payment_id ?? '';
  const other = await declareTds(money, one, one.cycleId, tenth - 100);
  expect(await previewAsOperator(money.portal, 'finance', 'acceptTds', { claimId: other }, again())).toMatchObject({
    settles: null,
    payout: 'OFFSET',
  });
  await actAsOperator(money.portal, 'finance', 'refuseTds', { claimId: other }, again());
  const claimId = await declareTds(money, one, one.cycleId, tenth);
  const accepted = { settles: paymentId, payout: 'WITHHELD', refund: 0, offset: 0 };
  const preview = await previewAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, again());
  expect(preview).toMatchObject(accepted);
  expect(await one.due()).toBe(price);
  const cause = again();
  expect(await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, cause)).toMatchObject(accepted);
  expect(await one.due()).toBe(0);
  expect(await one.payments()).toMatchObject([{ use: 'DUE' }]);
  const { db } = money.portal;
  const actions = await db
    .selectFrom('operator_actions')
    .select(['action', 'target'])
    .where('reason', '=', cause.reason)
    .orderBy('position')
    .execute();
  expect(actions).toEqual([
    { action: 'transfers.settle', target: paymentId },
    { action: 'tds.accept', target: claimId },
  ]);
  expect(await db.selectFrom('refunds').select('payout').where('cycle_id', '=', one.cycleId).execute()).toEqual([
    { payout: 'WITHHELD' },
  ]);
  await noFaults();
});

test('what waits says when the plan of a held transfer stops', async () => {
  const one = await billedWithAccount();
  await one.askFor(one.cycleId);
  await one.credit(price - tenth);
  await settle();
  const paymentId = (await one.payments())[0]?.provider_payment_id ?? '';
  const { stops_on: stopsOn } = await money.portal.db
    .selectFrom('credit_bills')
    .select('stops_on')
    .where('cycle_id', '=', one.cycleId)
    .executeTakeFirstOrThrow();
  const question = async () => {
    const items = await moneyReads.HELD_TRANSFER(money.portal.db, money.portal.clock(), 100);
    return items.find(({ id }) => id === paymentId);
  };
  const before = await question();
  expect(before?.due).toBe(stopsOn);
  expect(before?.about).toContain(`Its plan stops on ${stopsOn} unless you answer before`);
  money.moveClock(50 * dayMs);
  expect((await question())?.about).toContain(`Its plan is stopped since ${stopsOn}, until you answer`);
  money.moveClock(-50 * dayMs);
});

test('a bill that is overdue does not wait as such while money that can pay it is held', async () => {
  const one = await billedWithAccount();
  const overdue = async () => {
    const items = await moneyReads.OVERDUE_BILL(money.portal.db, money.portal.clock() + 50 * dayMs, 100);
    return items.some(({ customerId }) => customerId === one.customerId);
  };
  expect(await overdue()).toBe(true);
  await one.askFor(one.cycleId);
  await one.credit(price - tenth);
  await settle();
  expect(await overdue()).toBe(false);
});
