import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { previewEndCycle } from '#shared/contract/cycles.ts';
import { dayOf } from '#shared/domain/day.ts';
import { listUnpaidRefunds } from '#server/features/refunds/refunds.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { recordTransfer } from '#server/features/refunds/operator-transfers.ts';
import { acceptTds } from '#server/features/tds/tds.ts';
import { type PaidElsewhere, price, startElsewhere } from './test-elsewhere.ts';
import { businessProfile, declareTds } from './test-tds.ts';
import { catalogThatRefunds, dayMs, type Money, quiet, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const refund = (of: string, amountPaise?: number) =>
  makeRefund(money.portal, { of, reason: 'Goodwill', amountPaise }, 'asha');
const preview = ({ activationId, cycleId, token }: PaidElsewhere) =>
  money.ask(previewEndCycle, { params: { activationId, billingCycleId: cycleId } }, token);
const transferred = async (one: PaidElsewhere, utr: string, amountPaise = 50) => {
  const waiting = await listUnpaidRefunds(money.portal.db, money.portal.clock());
  const [own, ...others] = waiting.filter(({ customerId }) => customerId === one.customerId);
  expect(others).toEqual([]);
  expect(own).toMatchObject({ amountPaise, payout: 'TRANSFER' });
  const transfer = { utr, on: dayOf(money.portal.clock()) };
  await recordTransfer(money.portal, own?.id ?? '', transfer, { actor: 'asha', reason: 'By UPI' });
  expect(await money.faults()).toEqual([]);
};

test('an operator refunds no part that leaves less than ₹1, and reads the nearest amounts', async () => {
  const one = await elsewhere.paid(5);
  const nearest = 'Between ₹1 and ₹1,498 can be refunded, or all of ₹1,499';
  await expect(refund(one.cycleId, price - 50)).rejects.toThrow(nearest);
  await expect(refund(one.cycleId, price - 99)).rejects.toThrow(nearest);
  await refund(one.cycleId, price - 100);
  await expect(refund(one.cycleId, 50)).rejects.toThrow('Only all of ₹1 can be refunded');
  // The customer gets the rest back the way it was paid.
  expect(await one.end()).toMatchObject({ kind: 'cancel', refundAmount: 1, transferAmount: 0 });
  await money.work();
  expect(await elsewhere.atProvider(one)).toBe(price);
  expect(await money.faults()).toEqual([]);
});

test('the database refuses an operator’s refund that leaves less than ₹1', async () => {
  const one = await elsewhere.paid();
  const leaving = money.portal.db.transaction().execute(async (tx) => {
    await sql`insert into operator_actions (actor, action, target, customer_id, reason, effect)
      values ('asha', 'payments.refund', ${one.paymentId}, ${one.customerId}, 'SQL', '{"refunds": ["RFD-SQL"]}')`.execute(
      tx,
    );
    await sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, origin)
      values ('RFD-SQL', ${one.paymentId}, ${one.cycleId}, ${one.customerId}, ${price - 50}, 'SQL', 'STARTED', now(), 'OPERATOR')`.execute(
      tx,
    );
  });
  await expect(leaving).rejects.toThrow('leaves less than a rupee');
});

test('what is left of a cancelled plan goes back by bank transfer when it is less than ₹1', async () => {
  const one = await elsewhere.paid(5);
  await elsewhere.refundOnDashboard(one, price - 50);
  await bookRefundsOf(money.portal, one.paymentId);
  expect(await preview(one)).toMatchObject({ kind: 'cancel', refundAmount: 0.5, transferAmount: 0.5 });
  await one.end();
  await money.work();
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'REFUNDED',
    documents: [
      ['RECEIPT_VOUCHER', price],
      ['REFUND_VOUCHER', price - 50],
      ['REFUND_VOUCHER', 50],
    ],
  });
  await transferred(one, 'SBIN326015120001');
});

test('what a refund on the dashboard leaves of a promised one goes by bank transfer when it is less than ₹1', async () => {
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds: 'insufficient-balance' });
  onTestFinished(() => money.behave({ ...quiet, refunds: 'ok' }).then(() => undefined));
  await one.end();
  await money.work();
  await money.behave({ ...quiet, refunds: 'ok' });
  await elsewhere.refundOnDashboard(one, price - 50);
  await bookRefundsOf(money.portal, one.paymentId);
  await money.work(money.portal, dayMs / 12);
  expect(await elsewhere.atProvider(one)).toBe(price - 50);
  await transferred(one, 'SBIN326015120002');
});

test('unused days that are worth less than ₹1 are not promised, and no document is over them', async () => {
  const one = await elsewhere.paid();
  await elsewhere.refundOnDashboard(one, price - 50);
  await bookRefundsOf(money.portal, one.paymentId);
  const shown = { kind: 'deactivate', unusedAmount: 0.5, refundAmount: 0, transferAmount: 0 };
  expect(await preview(one)).toMatchObject(shown);
  expect(await one.end()).toMatchObject(shown);
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'DEACTIVATED',
    refunds: [['PROVIDER', 'PROCESSED', price - 50, 0, 0]],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', price - 50],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

/** A paid plan of a business, and the tax that it deducted at source, which is refunded. */
const deducted = async () => {
  const one = await elsewhere.paid(0, businessProfile);
  const claimId = await declareTds(money, one, one.cycleId, deductedPaise);
  await acceptTds(money.portal, claimId, { actor: 'asha', reason: 'In Form 26AS' });
  await money.work();
  return one;
};
/** The customer’s bank decides a dispute in the customer’s favour. */
const lose = async (one: PaidElsewhere, paise: number) =>
  elsewhere.moveDispute(one, await elsewhere.dispute(one, paise), 'lost');
const deductedPaise = 12_703;
/** 29 of 30 days. */
const unusedPaise = 144_903;

test('after tax deducted at source was refunded, the unused days of a plan go back in full, and by transfer where Razorpay has less left', async () => {
  const one = await deducted();
  const shown = { unusedAmount: 1449.03, refundAmount: 1449.03, transferAmount: 1449.03 };
  expect(await preview(one)).toMatchObject(shown);
  expect(await one.end()).toMatchObject(shown);
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'DEACTIVATED',
    refunds: [
      ['PORTAL', 'STARTED', unusedPaise, 0, 0],
      ['TDS', 'PROCESSED', deductedPaise, 0, 0],
    ],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', unusedPaise],
    ],
  });
  await transferred(one, 'SBIN326015120003', unusedPaise);
  // The price of the day that was used is kept; the Government pays the tax that was deducted.
  expect(await elsewhere.balances(one)).toEqual({
    bank: -unusedPaise,
    cycles: unusedPaise - price,
    provider: price - deductedPaise,
    tds: deductedPaise,
  });
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['a refund on the dashboard', 'SBIN326015120006', (one: PaidElsewhere) => elsewhere.refundOnDashboard(one)],
  ['a lost dispute', 'SBIN326015120007', (one: PaidElsewhere) => lose(one, price - deductedPaise)],
])(
  'after tax deducted at source was refunded, %s gives back what is left of the price, and only what exceeds it is a loss',
  async (_, utr, move) => {
    const one = await deducted();
    await one.end();
    await transferred(one, utr, unusedPaise);
    await move(one);
    await bookRefundsOf(money.portal, one.paymentId);
    expect((await elsewhere.state(one)).documents).toEqual([
      ['INVOICE', price],
      ['CREDIT_NOTE', unusedPaise],
      ['CREDIT_NOTE', price - unusedPaise],
    ]);
    expect(await elsewhere.balances(one)).toEqual({
      bank: -unusedPaise,
      losses: 132_200,
      tds: deductedPaise,
    });
    expect(await money.faults()).toEqual([]);
  },
);

test('a lost dispute over the whole price after tax deducted at source was refunded is no loss', async () => {
  const one = await deducted();
  await lose(one, price);
  expect(await elsewhere.state(one)).toEqual({
    cycle: 'REFUNDED',
    refunds: [
      ['DISPUTE', 'PROCESSED', price, 0, 0],
      ['TDS', 'PROCESSED', deductedPaise, 0, 0],
    ],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', price],
    ],
  });
  expect(await elsewhere.balances(one)).toEqual({ provider: -deductedPaise, tds: deductedPaise });
  expect(await money.faults()).toEqual([]);
});

test('what an operator refunds after tax deducted at source may be the whole price; all that Razorpay has left ends the plan', async () => {
  const one = await deducted();
  const atRazorpay = price - deductedPaise;
  expect(await refund(one.cycleId, atRazorpay)).toMatchObject({
    cycles: [{ leftPaise: deductedPaise, effect: 'ends', payout: 'PROVIDER' }],
  });
  expect(await elsewhere.state(one)).toMatchObject({ cycle: 'REFUNDED' });
  expect(await refund(one.cycleId)).toMatchObject({
    totalPaise: deductedPaise,
    cycles: [{ leftPaise: 0, effect: 'has ended', payout: 'TRANSFER' }],
  });
  await money.work();
  await transferred(one, 'SBIN326015120004', deductedPaise);
  expect(await elsewhere.atProvider(one)).toBe(price);
  await expect(refund(one.cycleId, 100)).rejects.toThrow('Nothing is left');

  const whole = await deducted();
  expect(await refund(whole.cycleId)).toMatchObject({
    totalPaise: price,
    cycles: [{ leftPaise: 0, effect: 'ends', payout: 'TRANSFER' }],
  });
  await transferred(whole, 'SBIN326015120005', price);
});
