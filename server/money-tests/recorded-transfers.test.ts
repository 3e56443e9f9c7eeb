import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { addDays } from '#shared/domain/day.ts';
import { readTdsReceivable, readVouchers } from '#server/features/bookkeeping/bookkeeping.ts';
import { differencesIn } from '#server/features/settlements/compare.ts';
import { transferPolicies } from '#shared/policies/transfers.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { asking, recordingsAt, transfersAt } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { cause, today, record, preview } = recordingsAt(() => money);
const { noFaults, settle } = transfersAt(() => money);
const orderOf = async (cycleId: string) => {
  const { id } = await money.portal.db
    .selectFrom('payment_orders')
    .select('id')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return id;
};

test('a transfer to the own account pays its bill, with its UTR on the paper, and is in the bank of ledger and books', async () => {
  const one = await asking(money);
  const order = await orderOf(one.cycleId);
  expect(await preview(order, 'sbin 3260 1512 0001')).toMatchObject({ paymentId: null, utr: 'SBIN326015120001' });
  expect(await one.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }]);
  money.moveClock(dayMs);
  const came = addDays(today(), -1);
  const { paymentId } = await record(order, 'SBIN326015120001', { on: came });
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  const { content } = await money.portal.db
    .selectFrom('documents')
    .select('content')
    .where('cycle_id', '=', one.cycleId)
    .executeTakeFirstOrThrow();
  expect(content).toMatchObject({ utr: 'SBIN326015120001', paymentId });
  const vouchers = await readVouchers(money.portal.db, today());
  expect(vouchers.find(({ id }) => id === `cash:capture:${paymentId}`)).toMatchObject({
    kind: 'Receipt',
    on: came,
    transfer: { utr: 'SBIN326015120001', on: came },
    lines: expect.arrayContaining([{ account: 'bank', customerId: null, amountPaise: 149_900 }]),
  });
  await money.portal.db
    .selectFrom('operator_actions')
    .select('reason')
    .where('action', '=', 'transfers.record')
    .where('target', '=', paymentId ?? '')
    .executeTakeFirstOrThrow();
  money.moveClock(30 * dayMs);
  const differences = await differencesIn(money.portal, undefined, money.portal.clock());
  expect(differences.map(({ id }) => id)).not.toContain(paymentId);
  await noFaults();
});

test('less TDS it pays as well, once the operator has seen that it is, and every other amount is refused', async () => {
  const one = await asking(money);
  for (const amount of [1498, 1500, 1373])
    await expect(record(one.cycleId, 'SBIN326015120002', { amount })).rejects.toThrow(
      /is not what is due for ORD-\w+: ₹1,499, or ₹1,474 less TDS at 2 %, or ₹1,372 less TDS at 10 %/,
    );
  expect(await preview(one.cycleId, 'SBIN326015120002', 1474)).toMatchObject({ tds: 25, percent: 2, due: 1499 });
  await record(one.cycleId, 'SBIN326015120002', { amount: 1474 });
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  const receivable = await readTdsReceivable(money.portal.db, today());
  expect(receivable.filter(({ customerId }) => customerId === one.customerId)).toMatchObject([
    { amount: 25, unproved: 1 },
  ]);
  await noFaults();
});

test('a UTR is recorded once, also by two operators at once, and never that of other money', async () => {
  const [one, other, credited] = [await asking(money), await asking(money), await asking(money)];
  const both = await Promise.allSettled([
    record(one.cycleId, 'SBIN326015120003'),
    record(one.cycleId, 'SBIN326015120003', {}, money.anotherPortal()),
    record(other.cycleId, 'SBIN326015120003', {}, money.anotherPortal()),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const left = (await one.cycles())[0]?.status === 'PAID' ? other : one;
  await expect(record(left.cycleId, 'SBIN326015120003')).rejects.toThrow('is known already');
  await credited.credit(149_900, { utr: 'SBIN326015120004' });
  await settle();
  await expect(record(left.cycleId, 'SBIN326015120004')).rejects.toThrow('is known already');
  await noFaults();
});

test('a bill that was paid or removed is refused, and so are a day to come and what is no UTR', async () => {
  const [paid, removed] = [await asking(money), await asking(money)];
  const { orderId } = await money.ask(createOrder, { params: { id: paid.cycleId } }, paid.token);
  await money.ask(verifyPayment, { body: await money.checkOut(orderId) }, paid.token);
  const ending = { params: { activationId: removed.activationId, billingCycleId: removed.cycleId } };
  await money.ask(endCycle, ending, removed.token);
  await expect(record(paid.cycleId, 'SBIN326015120005')).rejects.toThrow('The subscription was paid already');
  await expect(record(removed.cycleId, 'SBIN326015120005')).rejects.toThrow('The subscription was removed');
  const open = await asking(money);
  await expect(record(open.cycleId, 'SBIN326015120005', { on: addDays(today(), 1) })).rejects.toThrow('not over yet');
  await expect(record(open.cycleId, 'x')).rejects.toThrow('is not the number of a transfer');
  expect(await open.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }]);
  await noFaults();
});

test('what of it goes back, by a plan that ends or by the operator, is transferred, and Razorpay is never asked', async () => {
  const one = await asking(money);
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId: one.cycleId } }, one.token);
  const params = { activationId: one.activationId, planId: 'growth' };
  const body = { startDate: addDays(today(), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  const { paymentId } = await record(billingCycleId, 'SBIN326015120006');
  const refund = { of: paymentId ?? '', amount: 499 };
  const trial = await previewAsOperator(money.portal, 'finance', 'refundPayment', refund, cause);
  expect(trial).toMatchObject({ cycles: [{ payout: 'TRANSFER' }] });
  await actAsOperator(money.portal, 'finance', 'refundPayment', refund, cause);
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId } }, one.token);
  await settle();
  const refunds = await money.portal.db
    .selectFrom('refunds')
    .select(['id', 'payout', 'status', 'amount_paise'])
    .where('customer_id', '=', one.customerId)
    .orderBy('created_at')
    .execute();
  expect(refunds).toMatchObject([
    { payout: 'TRANSFER', status: 'STARTED', amount_paise: 49_900 },
    { payout: 'TRANSFER', status: 'STARTED', amount_paise: 100_000 },
  ]);
  const sent = { refundId: refunds[0]?.id ?? '', utr: 'SBIN326015120007', on: today() };
  await actAsOperator(money.portal, 'finance', 'recordTransfer', sent, cause);
  await noFaults();
});

test('what is recorded, and the tax of what is settled, counts for the limit of one person', () => {
  expect(transferPolicies).toMatchObject({
    recordReceivedTransfer: { amount: 'due' },
    settleTransfer: { amount: 'tds' },
    refundTransfer: { amount: 'amount' },
  });
});

test('the database records no transfer without the audit log, a payment, or a number of its own', async () => {
  const one = await asking(money);
  const order = await orderOf(one.cycleId);
  const insert = (id: string, utr = 'SBIN326015120008') =>
    money.owner.pool.query(
      `insert into bank_transfers (payment_id, order_id, customer_id, amount_paise, utr, noted_at, received_on)
       values ($1, $2, $3, 149900, $4, now(), current_date)`,
      [id, order, one.customerId, utr],
    );
  await expect(insert('TRF-000000000001')).rejects.toThrow(/is not in the audit log/);
  await expect(insert('pay_000000000001')).rejects.toThrow(/bank_transfers_received_check/);
  await record(order, 'SBIN326015120009');
  await expect(insert('TRF-000000000002', 'sbin-326015120009')).rejects.toThrow(/bank_transfers_received_once/);
  const change = `update bank_transfers set received_on = received_on - 1 where utr = 'SBIN326015120009'`;
  await expect(money.owner.pool.query(change)).rejects.toThrow(/never changed/);
  await noFaults();
});
