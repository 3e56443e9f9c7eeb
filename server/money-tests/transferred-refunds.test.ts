import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { deleteActivation, previewDeleteActivation } from '#shared/contract/activations.ts';
import { addCycle, endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import {
  listUnpaidRefunds,
  moveRefund,
  recordRefundState,
  selectRefundsOfPayment,
} from '#server/features/refunds/refunds.ts';
import { makeRefund, previewRefund } from '#server/features/payments/operator-refund.ts';
import { recordTransfer, turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { dayMs, hourMs, type Money, quiet, startMoney } from './test-money.ts';

const price = 149_900;

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** Eight periods of a plan, paid in advance in one payment 200 days ago: the last one has not started. */
async function oldAdvance() {
  const customer = await money.newCustomer();
  const free = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await money.ask(activatePlan, free, customer.token);
  const later = {
    params: { activationId, planId: 'growth' },
    body: { startDate: addDays(dayOf(money.portal.clock()), 30), periods: 8 },
  };
  const { billingCycleIds: cycleIds = [] } = await money.ask(addCycle, later, customer.token);
  const order = { params: { activationId }, body: { billingCycleIds: cycleIds } };
  const { orderId } = await money.ask(createOrderOfPeriods, order, customer.token);
  const body = await money.checkOut(orderId);
  await money.ask(verifyPayment, { body }, customer.token);
  money.moveClock(200 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 200 * dayMs });
  const cycleId = cycleIds.at(-1) ?? '';
  const end = () => money.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, customer.token);
  const refund = () =>
    money.portal.db.selectFrom('refunds').selectAll().where('cycle_id', '=', cycleId).executeTakeFirstOrThrow();
  return { ...customer, activationId, cycleIds, cycleId, paymentId: body.paymentId, end, refund };
}

const healthSchema = z.object({
  status: z.string(),
  refunds: z.object({ toTransfer: z.number(), refused: z.number(), oldestSeconds: z.number().nullable() }),
});
const health = async () => healthSchema.parse(await (await fetch(`${money.portalUrl}/backend/health`)).json());
const cause = { actor: 'asha', reason: 'Paid by NEFT' };
const today = () => dayOf(money.portal.clock());
const transfer = (utr: string) => ({ utr, on: today() });

const mailsOf = async (customerId: string) =>
  (
    await money.portal.db
      .selectFrom('mails')
      .select(['subject', 'body_text', 'recipient'])
      .where('customer_id', '=', customerId)
      .orderBy('created_at')
      .execute()
  ).filter(({ subject }) => /refund/i.test(subject));

test('a refund of a payment that Razorpay refunds no more waits for a bank transfer, and Razorpay is not asked', async () => {
  const one = await oldAdvance();
  const preview = { params: { activationId: one.activationId, billingCycleId: one.cycleId } };
  const shown = { kind: 'cancel', refundAmount: price / 100, transferAmount: price / 100 };
  expect(await money.ask(previewEndCycle, preview, one.token)).toMatchObject(shown);
  expect(await one.end()).toMatchObject(shown);
  await money.work();
  const { id } = await one.refund();
  expect(await one.refund()).toMatchObject({ status: 'STARTED', payout: 'TRANSFER', tries: 0, next_try_at: null });
  expect(await health()).toMatchObject({ status: 'ok', refunds: { toTransfer: 1, refused: 0 } });
  expect(await listUnpaidRefunds(money.portal.db, money.portal.clock())).toMatchObject([
    { id, amountPaise: price, payout: 'TRANSFER' },
  ]);
  const history = await money.ask(listHistory, { params: { id: one.activationId } }, one.token);
  expect(history.find((entry) => entry.id === one.cycleId)?.refund).toEqual({
    amount: price / 100,
    status: 'TRANSFER',
  });
  const [started, due] = await mailsOf(one.customerId);
  expect(started?.subject).toBe('Refund started: ₹1,499 for Tax Lookup API, Growth plan');
  expect(started?.body_text).toContain('we transfer it to your bank account');
  expect(started?.body_text).toContain('the account number and the IFSC in a message to support');
  expect(due?.subject).toBe('Refund to transfer: ₹1,499 to Kaveri');
  expect(due?.recipient).toBe(money.portal.settings.supportEmail);
  expect(due?.body_text).toContain(`octroi refunds transferred ${id}`);

  // It is not forgotten: after a week the health report fails.
  money.moveClock(8 * dayMs);
  expect(await health()).toMatchObject({ status: 'failing', refunds: { toTransfer: 1 } });

  await recordTransfer(money.portal, id, transfer('SBIN326015123456'), cause);
  expect(await one.refund()).toMatchObject({ status: 'PROCESSED', utr: 'SBIN326015123456', transferred_on: today() });
  expect(await health()).toMatchObject({ status: 'ok', refunds: { toTransfer: 0, refused: 0, oldestSeconds: null } });
  expect(await linesOf(`paid:${id}`)).toEqual([
    ['bank', -price],
    ['refunds', price],
  ]);
  const done = (await mailsOf(one.customerId)).at(-1);
  expect(done?.subject).toBe('Refund completed: ₹1,499 for Tax Lookup API, Growth plan');
  expect(done?.body_text).toContain('SBIN326015123456');
  expect(await listActions(money.portal.db, { limit: 1 })).toMatchObject([
    { ...cause, action: 'refunds.transfer', target: id, effect: { utr: 'SBIN326015123456', amountPaise: price } },
  ]);
  expect(await money.faults()).toEqual([]);
  expect(await bookFaults(money.portal.db)).toEqual([]);
  await expect(recordTransfer(money.portal, id, transfer('SBIN326015123457'), cause)).rejects.toThrow(
    'is paid already',
  );
});

const linesOf = async (entryId: string) =>
  (
    await money.portal.db
      .selectFrom('ledger_lines')
      .select(['account', 'amount_paise'])
      .where('entry_id', '=', entryId)
      .orderBy('account')
      .execute()
  ).map(({ account, amount_paise: paise }) => [account, paise]);

test('a refund that is a transfer is complete only with its number, its ledger entry and the audit log, also in SQL', async () => {
  const one = await oldAdvance();
  await one.end();
  const { id } = await one.refund();
  const { db } = money.portal;
  const complete = sql`update refunds set status = 'PROCESSED', settled_at = created_at where id = ${id}`;
  await expect(complete.execute(db)).rejects.toThrow('refunds_transfer_check');
  const withUtr = sql`update refunds set status = 'PROCESSED', settled_at = created_at, utr = 'HDFC0001234567',
    transferred_on = (created_at at time zone 'Asia/Kolkata')::date where id = ${id}`;
  await expect(withUtr.execute(db)).rejects.toThrow(/is not in the (ledger|audit log)/);
  await expect(sql`update refunds set payout = 'PROVIDER' where id = ${id}`.execute(db)).rejects.toThrow('cannot go');
  const entered = db.transaction().execute(async (tx) => {
    const transferred = { type: 'transferred', utr: 'HDFC0001234567', on: today(), isDisputed: false } as const;
    await moveRefund(money.portal, tx, await one.refund(), transferred);
  });
  await expect(entered).rejects.toThrow('is not in the audit log');

  const record = (utr: string, on: Day = today()) => recordTransfer(money.portal, id, { utr, on }, cause);
  await expect(record('HDFC0001234567', addDays(today(), 1))).rejects.toThrow('The day of the transfer is between');
  await expect(record('HDFC0001234567', addDays(today(), -1))).rejects.toThrow('The day of the transfer is between');
  // A number that paid another customer's refund is a slip of the hand.
  const other = await oldAdvance();
  await other.end();
  await recordTransfer(money.portal, (await other.refund()).id, transfer('HDFC0001234567'), cause);
  await expect(record('HDFC0001234567')).rejects.toThrow('is the number of the transfer that paid RFD-');
  await record('HDFC0001234568');
  await expect(sql`update refunds set utr = 'HDFC0001234569' where id = ${id}`.execute(db)).rejects.toThrow(
    'cannot go',
  );
  expect(await money.faults()).toEqual([]);
});

test('a refund that becomes too old before Razorpay accepts it turns into a transfer, and the customer is told', async () => {
  const one = await oldAdvance();
  // For the portal it is still in time; for Razorpay it is not.
  money.moveClock(-200 * dayMs);
  await one.end();
  money.moveClock(200 * dayMs);
  expect(await one.refund()).toMatchObject({ payout: 'PROVIDER' });
  await money.work();
  const refund = await one.refund();
  expect(refund).toMatchObject({ status: 'STARTED', payout: 'TRANSFER', next_try_at: null });
  expect(refund.refusal).toContain('Payment is more than 6 months old');
  expect((await mailsOf(one.customerId)).map(({ subject }) => subject.replace(/:.*/, ''))).toEqual([
    'Refund started',
    'We need your bank account for your refund of ₹1,499',
    'Refund to transfer',
  ]);
  await recordTransfer(money.portal, refund.id, transfer('ICIC0001234567'), cause);
  expect(await money.faults()).toEqual([]);
});

test('a refund that Razorpay refuses is in the health report until it is paid, or an operator turns it into a transfer', async () => {
  const elsewhere = startElsewhere(money);
  const [paid, turned] = [await elsewhere.paid(5), await elsewhere.paid(5)];
  await money.behave({ ...quiet, refunds: 'insufficient-balance' });
  onTestFinished(() => money.behave({ ...quiet, refunds: 'ok' }).then(() => undefined));
  const refundOf = (cycleId: string) =>
    money.portal.db.selectFrom('refunds').selectAll().where('cycle_id', '=', cycleId).executeTakeFirstOrThrow();
  await paid.end();
  await expect(turnRefund(money.portal, (await refundOf(paid.cycleId)).id, cause)).rejects.toThrow('has not refused');
  await turned.end();
  await money.work();
  expect(await health()).toMatchObject({ refunds: { toTransfer: 0, refused: 2 } });
  expect(await listUnpaidRefunds(money.portal.db, money.portal.clock())).toMatchObject([
    { payout: 'PROVIDER', refusal: expect.stringContaining('not have enough balance') },
    { payout: 'PROVIDER' },
  ]);
  const { id } = await refundOf(turned.cycleId);
  await expect(recordTransfer(money.portal, id, transfer('UTIB0001234567'), cause)).rejects.toThrow('twice');
  await turnRefund(money.portal, id, cause);
  expect(await health()).toMatchObject({ refunds: { toTransfer: 1, refused: 1 } });
  await money.behave({ ...quiet, refunds: 'ok' });
  await money.work(money.portal, 2 * hourMs);
  expect(await refundOf(paid.cycleId)).toMatchObject({ status: 'PROCESSED', refused_at: null, refusal: null });
  expect(await elsewhere.atProvider(turned)).toBe(0);
  await recordTransfer(money.portal, id, transfer('UTIB0001234567'), cause);
  expect(await health()).toMatchObject({ refunds: { toTransfer: 0, refused: 0 } });
  expect(await money.faults()).toEqual([]);
});

test('a refund that Razorpay accepts after all is no transfer any more', async () => {
  const elsewhere = startElsewhere(money);
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds: 'insufficient-balance' });
  onTestFinished(() => money.behave({ ...quiet, refunds: 'ok' }).then(() => undefined));
  await one.end();
  await money.work();
  const find = () =>
    money.portal.db.selectFrom('refunds').selectAll().where('cycle_id', '=', one.cycleId).executeTakeFirstOrThrow();
  const refund = await find();
  await turnRefund(money.portal, refund.id, cause);
  // A request that was under way when the operator turned it.
  await money.portal.db
    .transaction()
    .execute((tx) => recordRefundState(money.portal, tx, refund, { id: 'rfnd_late', status: 'pending' }));
  expect(await find()).toMatchObject({ status: 'PENDING', payout: 'PROVIDER', refused_at: null });
  await expect(recordTransfer(money.portal, refund.id, transfer('UTIB0001234599'), cause)).rejects.toThrow('twice');
  await money.portal.db
    .transaction()
    .execute((tx) => recordRefundState(money.portal, tx, refund, { id: 'rfnd_late', status: 'processed' }));
  expect(await find()).toMatchObject({ status: 'PROCESSED', utr: null });
  expect(await linesOf(`paid:${refund.id}`)).toEqual([
    ['provider', -price],
    ['refunds', price],
  ]);
});

test('a refund on the dashboard that a bank returns after six months is transferred by hand', async () => {
  const elsewhere = startElsewhere(money);
  const one = await elsewhere.paid();
  await money.behave({ ...quiet, refunds: 'pending' });
  onTestFinished(() => money.behave({ ...quiet, refunds: 'ok' }).then(() => undefined));
  const refundId = await elsewhere.refundOnDashboard(one, 50_000);
  await pollList(money.portal, 'refunds');
  await money.standin('POST', '/standin/clock', { advanceMs: 200 * dayMs });
  money.moveClock(200 * dayMs);
  await money.standin('POST', `/standin/refunds/${refundId}/fail`, {});
  // The portal reads that it failed, then requests it.
  await money.work();
  await money.work(money.portal, 2 * hourMs);
  const [refund] = await selectRefundsOfPayment(money.portal.db, one.paymentId);
  expect(refund).toMatchObject({ origin: 'PROVIDER', status: 'STARTED', payout: 'TRANSFER', next_try_at: null });
  await recordTransfer(money.portal, refund?.id ?? '', transfer('CNRB0001234567'), cause);
  expect(await linesOf(`paid:${refund?.id}`)).toEqual([
    ['bank', -50_000],
    ['refunds', 50_000],
  ]);
  expect(await money.faults()).toEqual([]);
});

test('nothing is transferred while the customer’s bank disputes the payment, and a lost dispute is the refund', async () => {
  const one = await oldAdvance();
  await one.end();
  const { id } = await one.refund();
  const dispute = await money.standin('POST', `/standin/payments/${one.paymentId}/dispute`, {});
  await pollList(money.portal, 'disputes');
  await expect(recordTransfer(money.portal, id, transfer('KKBK0001234567'), cause)).rejects.toThrow('disputes');
  await money.standin('POST', `/standin/disputes/${String(dispute['id'])}/lost`, {});
  await recordDispute(money.portal, String(dispute['id']));
  expect(await one.refund()).toMatchObject({ status: 'PROCESSED', covered_paise: price, utr: null });
  expect(await health()).toMatchObject({ refunds: { toTransfer: 0 } });
  expect(await money.faults()).toEqual([]);
});

test('deleting an activation and an operator’s refund say what is transferred', async () => {
  const one = await oldAdvance();
  const params = { activationId: one.activationId };
  const { refundAmount, transferAmount } = await money.ask(previewDeleteActivation, { params }, one.token);
  expect(transferAmount).toBe(refundAmount);
  expect(transferAmount).toBeGreaterThan(0);
  expect(await previewRefund(money.portal, { of: one.cycleId, reason: 'Goodwill', amountPaise: 50_000 })).toMatchObject(
    {
      cycles: [{ amountPaise: 50_000, payout: 'TRANSFER' }],
    },
  );
  await makeRefund(money.portal, { of: one.cycleId, reason: 'Goodwill', amountPaise: 50_000 }, 'asha');
  expect(await one.refund()).toMatchObject({ origin: 'OPERATOR', payout: 'TRANSFER' });
  await money.ask(deleteActivation, { params }, one.token);
  const unpaid = await listUnpaidRefunds(money.portal.db, money.portal.clock());
  const own = unpaid.filter(({ customerId }) => customerId === one.customerId);
  expect(own.reduce((sum, { amountPaise }) => sum + amountPaise, 0)).toBe(refundAmount * 100);
  for (const { id } of own) await recordTransfer(money.portal, id, transfer('YESB0001234567'), cause);
  expect(await money.faults()).toEqual([]);
});
