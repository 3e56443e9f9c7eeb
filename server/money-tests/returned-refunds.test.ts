import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { bookRefundsOf, workOnRefund } from '#server/features/payments/money-back.ts';
import {
  carryOutRefund,
  listUnpaidRefunds,
  lockRefund,
  moveRefund,
  recordRefundState,
  selectRefund,
  startRefund,
} from '#server/features/refunds/refunds.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { recordTransfer, turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { price, startElsewhere } from './test-elsewhere.ts';
import { dayMs, hourMs, type Money, quiet, startMoney } from './test-money.ts';

/** Refunds of ours that a bank returned or that wait, while their payment is disputed or refunded elsewhere. */

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const health = async (): Promise<unknown> => (await fetch(`${money.portalUrl}/backend/health`)).json();

test('the health report doesn’t fail because of a refused refund while a dispute keeps it waiting, nor at once when it is decided', async () => {
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds: 'insufficient-balance' });
  await one.end();
  await money.work();
  expect(await health()).toMatchObject({ status: 'ok', refunds: { refused: 1 } });
  const dispute = await elsewhere.dispute(one);
  await recordDispute(money.portal, dispute);
  money.moveClock(8 * dayMs);
  const waiting = { toTransfer: 0, refused: 0, oldestSeconds: null };
  expect(await health()).toMatchObject({ status: 'ok', refunds: waiting });
  const unpaid = (await listUnpaidRefunds(money.portal.db, money.portal.clock())).find(
    ({ paymentId }) => paymentId === one.paymentId,
  );
  expect(unpaid).toMatchObject({ waitsForDispute: true });
  const cause = { actor: 'anita', reason: 'The card is closed' };
  const turned = turnRefund(money.portal, unpaid?.id ?? '', cause);
  await expect(turned).rejects.toThrow('transfer nothing before the dispute is decided');
  await elsewhere.moveDispute(one, dispute, 'won');
  expect(await listUnpaidRefunds(money.portal.db, money.portal.clock())).toMatchObject([
    { id: unpaid?.id, waitsForDispute: false },
  ]);
  expect(await health()).toMatchObject({ status: 'ok', refunds: { refused: 1 } });
  money.moveClock(8 * dayMs);
  expect(await health()).toMatchObject({ status: 'failing', refunds: { refused: 1 } });
  await money.behave(quiet);
  await money.work(money.portal, 2 * hourMs);
  expect(await health()).toMatchObject({ status: 'ok', refunds: waiting });
});

/** A refund of ours that the bank returned; the portal has not requested it again. */
async function returned() {
  const one = await elsewhere.paid(5);
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  await one.end();
  const id = await elsewhere.openRefund(one);
  await workOnRefund(money.portal, id);
  const accepted = (await selectRefund(money.portal.db, id))?.provider_refund_id ?? '';
  await money.standin('POST', `/standin/refunds/${accepted}/fail`, {});
  await workOnRefund(money.portal, id);
  await money.behave({ webhooks: { enabled: false } });
  expect((await elsewhere.state(one)).refunds).toEqual([['PORTAL', 'FAILED', price, 0, 0]]);
  return { ...one, refundId: id };
}

test('a refund that a bank keeps returning is listed with how often, and an operator turns it into a transfer', async () => {
  const one = await returned();
  const { portal } = money;
  const { refundId: id } = one;
  const find = async () => (await listUnpaidRefunds(portal.db, portal.clock())).find((each) => each.id === id);
  expect(await find()).toMatchObject({ payout: 'PROVIDER', refusal: null, returns: 1 });
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  await workOnRefund(portal, id);
  await money.behave({ webhooks: { enabled: false } });
  // The bank has it again, and may pay it.
  expect(await find()).toBeUndefined();
  const cause = { actor: 'anita', reason: 'The account is closed' };
  await expect(turnRefund(portal, id, cause)).rejects.toThrow('has not refused');
  const again = (await selectRefund(portal.db, id))?.provider_refund_id ?? '';
  await money.standin('POST', `/standin/refunds/${again}/fail`, {});
  await workOnRefund(portal, id);
  expect(await find()).toMatchObject({ payout: 'PROVIDER', refusal: null, returns: 2 });
  expect(await health()).toMatchObject({ refunds: { toTransfer: 0, refused: 1 } });
  await turnRefund(portal, id, cause);
  expect(await selectRefund(portal.db, id)).toMatchObject({ status: 'STARTED', attempt: 3, next_try_at: null });
  expect(await find()).toMatchObject({ payout: 'TRANSFER', returns: 2 });
  const transfer = { utr: 'UTIB0001234567', on: dayOf(portal.clock()) };
  await recordTransfer(portal, id, transfer, { ...cause, reason: 'By NEFT' });
  expect((await elsewhere.state(one)).refunds).toEqual([['PORTAL', 'PROCESSED', price, 0, 0]]);
  // What Razorpay holds for it stays there until it is settled.
  expect(await elsewhere.balances(one)).toEqual({ bank: -price, provider: price });
  expect(await elsewhere.atProvider(one)).toBe(0);
  expect(await money.faults()).toEqual([]);
});

/** A portal that notes the requests of refunds. */
function noting({ portal }: Money) {
  const requested: string[] = [];
  const createRefund: typeof portal.razorpay.createRefund = (request) => {
    requested.push(request.key);
    return portal.razorpay.createRefund(request);
  };
  return { requested, portal: { ...portal, razorpay: { ...portal.razorpay, createRefund } } };
}

test('nothing is requested of a refund that a bank returned and that an operator turns into a transfer at that moment', async () => {
  const { refundId } = await returned();
  const { db } = money.portal;
  const { requested, portal } = noting(money);
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  let carrying: Promise<unknown> | undefined;
  await transaction(db, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    carrying = carryOutRefund(portal, refundId);
    await expect.poll(async () => (await waiting.execute(db)).rows.length, { timeout: 60_000 }).toBe(1);
    await moveRefund(money.portal, tx, refund, { type: 'turned', isDisputed: false });
  });
  await carrying;
  expect(requested).toEqual([]);
  expect(await selectRefund(db, refundId)).toMatchObject({ status: 'STARTED', payout: 'TRANSFER', attempt: 2 });
});

test('a second refund for the same cause is an error, not one that is missing without a word', async () => {
  const one = await elsewhere.paid(5);
  await one.end();
  const again = transaction(money.portal.db, (tx) =>
    startRefund(money.portal, one, tx, {
      paymentId: one.paymentId,
      cycleId: one.cycleId,
      amountPaise: 100,
      currency: 'INR',
      reason: 'Again',
      origin: 'PORTAL',
      ofReplaced: false,
      from: 'CYCLE',
    }),
  );
  await expect(again).rejects.toThrow('refunds_one_of_ours');
});

test('a refund on the dashboard instead of one that a bank returned pays that one', async () => {
  const one = await returned();
  await elsewhere.refundOnDashboard(one);
  await workOnRefund(money.portal, one.refundId);
  expect((await elsewhere.state(one)).refunds).toEqual([
    ['PORTAL', 'PROCESSED', price, 0, price],
    ['PROVIDER', 'PROCESSED', price, price, 0],
  ]);
  expect(await elsewhere.balances(one)).toEqual({});
  expect(await elsewhere.atProvider(one)).toBe(price);
  expect(await money.faults()).toEqual([]);
});

test('nothing is requested of a refund that a bank returned and that money refunded elsewhere pays at that moment', async () => {
  const one = await returned();
  await elsewhere.refundOnDashboard(one);
  const { portal } = money;
  const waiting = async () =>
    (await sql`select from pg_locks where relation = 'mails'::regclass and not granted`.execute(portal.db)).rows.length;
  const { requested, portal: noted } = noting(money);
  let both: Promise<unknown> | undefined;
  await transaction(portal.db, async (tx) => {
    await sql`lock table mails in exclusive mode`.execute(tx);
    const booking = bookRefundsOf(portal, one.paymentId);
    await expect.poll(waiting).toBe(1);
    both = Promise.all([booking, carryOutRefund(noted, one.refundId)]);
    await sleep(300);
  });
  await both;
  expect(requested).toEqual([]);
  expect(await selectRefund(portal.db, one.refundId)).toMatchObject({ status: 'PROCESSED', covered_paise: price });
});

test.each([
  ['all of it', price, 'PROCESSED'],
  ['all but a few paise', price - 50, 'STARTED'],
])('a lost dispute pays a refund that a bank returned: %s', async (_, amount, status) => {
  const one = await returned();
  await elsewhere.moveDispute(one, await elsewhere.dispute(one, amount), 'lost');
  await money.work(money.portal, 60_000);
  expect((await elsewhere.state(one)).refunds).toEqual([
    ['DISPUTE', 'PROCESSED', amount, amount, 0],
    ['PORTAL', status, price, 0, amount],
  ]);
  // What is left is below a rupee: a transfer.
  const payout = status === 'STARTED' ? 'TRANSFER' : 'PROVIDER';
  expect(await selectRefund(money.portal.db, one.refundId)).toMatchObject({ payout });
  expect(await money.faults()).toEqual([]);
});

test('a refund on the dashboard that is booked while ours is being accepted pays nothing of ours', async () => {
  const one = await elsewhere.paid();
  const { portal } = money;
  await makeRefund(portal, { of: one.cycleId, amountPaise: 60_000, reason: 'A part' }, 'test');
  const id = await elsewhere.openRefund(one);
  await elsewhere.refundOnDashboard(one, 20_000);
  const listed = await portal.razorpay.listRefunds(one.paymentId);
  const listedBefore = { ...portal, razorpay: { ...portal.razorpay, listRefunds: () => Promise.resolve(listed) } };
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  const accepted = await portal.razorpay.createRefund({
    paymentId: one.paymentId,
    cycleId: one.cycleId,
    cause: 'OPERATOR',
    amountPaise: 60_000,
    key: id,
  });
  await money.behave({ webhooks: { enabled: false } });
  let booking: Promise<void> | undefined;
  await transaction(portal.db, async (tx) => {
    await recordRefundState(portal, tx, await lockRefund(tx, id), accepted);
    booking = bookRefundsOf(listedBefore, one.paymentId);
    await sleep(300);
  });
  await booking;
  expect((await elsewhere.state(one)).refunds).toEqual([
    ['OPERATOR', 'PENDING', 60_000, 0, 0],
    ['PROVIDER', 'PROCESSED', 20_000, 0, 0],
  ]);
  expect(await elsewhere.atProvider(one)).toBe(80_000);
  expect(await money.faults()).toEqual([]);
});
