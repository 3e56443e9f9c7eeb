import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { readVouchers } from '#server/features/bookkeeping/bookkeeping.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { adding, asking, recordingsAt, transfersAt } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

/** Transfers to the own account that came before their bill was made, or that nobody made a bill for (decision 075). */

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { cause, today, record, preview } = recordingsAt(() => money);
const { noFaults, settle } = transfersAt(() => money);
const heldOf = async ({ customerId }: { customerId: string }) =>
  (await readAsOperator(money.portal, 'read-only', 'listHeldTransfers', {})).filter(
    (each) => each.customerId === customerId,
  );
const ordersOf = (of: { customerId: string }) => {
  return money.portal.db
    .selectFrom('payment_orders')
    .select(['status', 'provider_order_id', 'amount_paise'])
    .where('customer_id', '=', of.customerId)
    .execute();
};

test('money for a plan whose customer never pressed Pay is recorded: the order is made with it, once', async () => {
  const [one, other] = [await adding(money), await adding(money)];
  expect(await preview(one.cycleId, 'SBIN326015120021')).toMatchObject({
    orderId: null,
    due: 1499,
    planName: 'Growth',
  });
  expect(await preview(one.cycleId, 'SBIN326015120021', 1372)).toMatchObject({ tds: 127, percent: 10 });
  await expect(record(one.cycleId, 'SBIN326015120021', { amount: 1400 })).rejects.toThrow(/is not what is due/);
  expect(await ordersOf(one)).toEqual([]);
  const both = await Promise.allSettled([
    record(one.cycleId, 'SBIN326015120021'),
    record(one.cycleId, 'SBIN326015120021', {}, money.anotherPortal()),
    record(other.cycleId, 'SBIN326015120021', {}, money.anotherPortal()),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [paid, left] = (await one.cycles())[0]?.status === 'PAID' ? [one, other] : [other, one];
  expect(await ordersOf(paid)).toEqual([{ status: 'PAID', provider_order_id: null, amount_paise: 149_900 }]);
  expect(await ordersOf(left)).toEqual([]);
  await expect(record(left.cycleId, 'SBIN326015120021')).rejects.toThrow('is known already');
  await expect(record(paid.cycleId, 'SBIN326015120022')).rejects.toThrow('was paid already');
  await noFaults();
});

test('such a recording and the customer’s checkout at once: the plan is paid once, and the checkout knows', async () => {
  const one = await adding(money);
  const both = await Promise.allSettled([
    record(one.cycleId, 'SBIN326015120023'),
    money.ask(createOrder, { params: { id: one.cycleId } }, one.token),
  ]);
  const [recorded] = both;
  if (recorded.status === 'rejected') await record(one.cycleId, 'SBIN326015120023');
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  await expect(money.ask(createOrder, { params: { id: one.cycleId } }, one.token)).rejects.toThrow(/./);
  await noFaults();
});

test('what the checkout would refuse is not recorded for a plan without an order', async () => {
  const [bare, removed] = [await adding(money, null), await adding(money)];
  await expect(record(bare.cycleId, 'SBIN326015120024')).rejects.toThrow(
    /The checkout would refuse it to the customer/,
  );
  await money.ask(
    endCycle,
    { params: { activationId: removed.activationId, billingCycleId: removed.cycleId } },
    removed.token,
  );
  await expect(record(removed.cycleId, 'SBIN326015120024')).rejects.toThrow(/No order is known/);
  expect([await ordersOf(bare), await ordersOf(removed)]).toEqual([[], []]);
  await noFaults();
});

test('the day is that of the statement, also before the plan was added, and never before the customer or of another year', async () => {
  const one = await asking(money);
  const came = today();
  money.moveClock(10 * dayMs);
  // Another plan of the customer, added after the money had come.
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId: one.cycleId } }, one.token);
  const params = { activationId: one.activationId, planId: 'growth' };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body: { startDate: today() } }, one.token);
  // The customer is as old as the machine's day.
  for (const on of ['2019-04-01', addDays(dayOf(Date.now()), -1)])
    await expect(record(billingCycleId, 'SBIN326015120019', { on })).rejects.toThrow(
      /The day of the transfer is between \d{4}-\d\d-\d\d and today/,
    );
  const { paymentId } = await record(billingCycleId, 'SBIN326015120019', { on: came });
  const vouchers = await readVouchers(money.portal.db, today());
  expect(vouchers.find(({ id }) => id === `cash:capture:${paymentId}`)).toMatchObject({ on: came });
  await noFaults();
  money.moveClock(400 * dayMs);
  const later = await money.ask(addCycle, { params, body: { startDate: today() } }, one.token);
  const next = later.billingCycleId ?? '';
  await expect(record(next, 'SBIN326015120020', { on: addDays(today(), -365) })).rejects.toThrow(/180 days before/);
  await record(next, 'SBIN326015120020', { on: addDays(today(), -180) });
  await noFaults();
});

test('what Razorpay holds for a bill is answered before other money is recorded for it', async () => {
  const one = await asking(money);
  await one.credit(137_200);
  await settle();
  await expect(record(one.cycleId, 'SBIN326015120025')).rejects.toThrow(/is held for this bill/);
  const [held] = await heldOf(one);
  await actAsOperator(money.portal, 'finance', 'refundTransfer', { paymentId: held?.paymentId ?? '' }, cause);
  await record(one.cycleId, 'SBIN326015120025');
  await noFaults();
});
