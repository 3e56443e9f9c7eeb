import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';
import { threeUnpaidPeriods } from './test-periods.ts';

const price = 149_900;

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const today = () => dayOf(money.portal.clock());

async function threePeriods(inDays = 0) {
  const three = await threeUnpaidPeriods(money, inDays);
  const { customerId, cycleIds } = three;
  const state = async () => {
    const cycles = await money.portal.db
      .selectFrom('cycles')
      .select(['status', 'from_date'])
      .where('id', 'in', cycleIds)
      .orderBy('from_date')
      .execute();
    return cycles.map((cycle) => cycle.status);
  };
  const papers = async () => {
    const documents = await money.portal.db
      .selectFrom('documents')
      .select(['kind', 'cycle_id', 'total_paise'])
      .where('cycle_id', 'in', cycleIds)
      .orderBy('issued_at')
      .orderBy('number')
      .execute();
    return documents.map((each) => [each.kind, cycleIds.indexOf(each.cycle_id), each.total_paise]);
  };
  const refunds = async () => {
    const rows = await money.portal.db
      .selectFrom('refunds')
      .select(['origin', 'cycle_id', 'amount_paise'])
      .where('customer_id', '=', customerId)
      .execute();
    const found = rows.map((each) => [each.origin, cycleIds.indexOf(each.cycle_id), each.amount_paise] as const);
    return found.toSorted(([, a], [, b]) => a - b);
  };
  return { ...three, state, papers, refunds };
}

type Three = Awaited<ReturnType<typeof threePeriods>>;

async function pay(three: Three): Promise<{ orderId: string; paymentId: string }> {
  const { orderId } = await three.order();
  return money.checkOut(orderId);
}

test('one payment pays for three periods, each with its own document and ledger entry', async () => {
  const three = await threePeriods();
  const order = await three.order();
  expect(order).toMatchObject({ amount: (3 * price) / 100, billingCycleIds: three.cycleIds });
  const body = await money.checkOut(order.orderId);
  const { paymentId } = body;
  expect(await money.ask(verifyPayment, { body }, three.token)).toMatchObject({ status: 'success' });
  expect(await three.state()).toEqual(['PAID', 'PAID', 'PAID']);
  expect(await three.papers()).toEqual([
    ['INVOICE', 0, price],
    ['RECEIPT_VOUCHER', 1, price],
    ['RECEIPT_VOUCHER', 2, price],
  ]);
  const entries = await money.portal.db
    .selectFrom('ledger_entries')
    .select(['id', 'cycle_id'])
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { id: `capture:${paymentId}`, cycle_id: three.cycleIds[0] },
    { id: `capture:${paymentId}:2`, cycle_id: three.cycleIds[1] },
    { id: `capture:${paymentId}:3`, cycle_id: three.cycleIds[2] },
  ]);
  const mails = await money.portal.db
    .selectFrom('mails')
    .select('subject')
    .where('customer_id', '=', three.customerId)
    .where('subject', 'like', 'Payment received%')
    .execute();
  expect(mails.map((mail) => mail.subject)).toEqual([expect.stringContaining('₹4,497')]);
  expect(await money.faults()).toEqual([]);
});

test('each period gets its invoice on the day it starts', async () => {
  const three = await threePeriods();
  await settlePayment(money.portal, (await pay(three)).paymentId);
  money.moveClock(30 * dayMs);
  await invoiceStartedCycles(money.portal);
  expect((await three.papers()).slice(3)).toEqual([['INVOICE', 1, price]]);
  expect(await money.faults()).toEqual([]);
});

test('a period that has not started is cancelled and refunded in full, and the others stay', async () => {
  const three = await threePeriods();
  await settlePayment(money.portal, (await pay(three)).paymentId);
  expect(await three.end(1)).toMatchObject({ kind: 'cancel', refundAmount: price / 100 });
  expect(await three.end(2)).toMatchObject({ kind: 'cancel', refundAmount: price / 100 });
  await money.work();
  expect(await three.state()).toEqual(['PAID', 'REFUNDED', 'REFUNDED']);
  expect(await three.refunds()).toEqual([
    ['PORTAL', 1, price],
    ['PORTAL', 2, price],
  ]);
  expect((await three.papers()).slice(3)).toEqual([
    ['REFUND_VOUCHER', 1, price],
    ['REFUND_VOUCHER', 2, price],
  ]);
  expect(await money.faults()).toEqual([]);
});

test('a payment is refunded as a whole when one of its periods was removed or paid otherwise', async () => {
  const removed = await threePeriods();
  const late = await pay(removed);
  await removed.end(2);
  expect(await settlePayment(money.portal, late.paymentId)).toBe('refunded');
  expect(await removed.state()).toEqual(['PAYMENT_PENDING', 'PAYMENT_PENDING', 'REMOVED']);
  expect(await removed.refunds()).toEqual([['PORTAL', 0, 3 * price]]);

  const twice = await threePeriods();
  const whole = await pay(twice);
  const single = await money.ask(createOrder, { params: { id: twice.cycleIds[1] ?? '' } }, twice.token);
  expect(single.amount).toBe(price / 100);
  const { paymentId } = await money.checkOut(single.orderId);
  expect(await settlePayment(money.portal, paymentId)).toBe('paid');
  expect(await settlePayment(money.portal, whole.paymentId)).toBe('refunded');
  expect(await twice.state()).toEqual(['PAYMENT_PENDING', 'PAID', 'PAYMENT_PENDING']);
  await money.work();
  expect(await money.faults()).toEqual([]);
});

test('a payment on a closed order still pays for all its periods, and closes the orders of single ones', async () => {
  const three = await threePeriods();
  const whole = await pay(three);
  const single = await money.ask(createOrder, { params: { id: three.cycleIds[2] ?? '' } }, three.token);
  expect(await settlePayment(money.portal, whole.paymentId)).toBe('paid');
  expect(await three.state()).toEqual(['PAID', 'PAID', 'PAID']);
  const { status } = await money.portal.db
    .selectFrom('payment_orders')
    .select('status')
    .where('provider_order_id', '=', single.orderId)
    .executeTakeFirstOrThrow();
  expect(status).toBe('CLOSED');
  expect(await money.faults()).toEqual([]);
});

test('a payment that arrives late moves every period to the first free days, without a gap or an overlap', async () => {
  const three = await threePeriods();
  const { orderId, paymentId } = await pay(three);
  money.moveClock(40 * dayMs);
  const { id } = await money.portal.db
    .selectFrom('payment_orders')
    .select('id')
    .where('provider_order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  await reconcileOrder(money.portal, id);
  expect(await settlePayment(money.portal, paymentId)).toBe('paid');
  const cycles = await money.portal.db
    .selectFrom('cycles')
    .select(['id', 'from_date', 'to_date'])
    .where('id', 'in', three.cycleIds)
    .orderBy('from_date')
    .execute();
  expect(cycles.map((cycle) => cycle.id)).toEqual(three.cycleIds);
  expect(cycles.map((cycle) => cycle.from_date)).toEqual([0, 30, 60].map((days) => addDays(today(), days)));
  expect(await money.faults()).toEqual([]);
});

test('money refunded at the provider is taken from the last period backwards', async () => {
  const three = await threePeriods();
  const { paymentId } = await pay(three);
  await settlePayment(money.portal, paymentId);
  const refundOnDashboard = async (amount: number) => {
    const { id } = await money.standin('POST', `/standin/payments/${paymentId}/refund`, { amount });
    for (const event of ['refund.created', 'refund.processed']) {
      await money.deliver(event, {
        refund: { entity: { id, payment_id: paymentId, status: 'processed' } },
        payment: { entity: { id: paymentId, status: 'captured' } },
      });
      await money.handleWebhooks();
    }
  };
  await refundOnDashboard(price + 50_000);
  expect(await three.state()).toEqual(['PAID', 'PAID', 'REFUNDED']);
  expect(await three.refunds()).toEqual([
    ['PROVIDER', 1, 50_000],
    ['PROVIDER', 2, price],
  ]);
  expect(await money.faults()).toEqual([]);
  await refundOnDashboard(2 * price - 50_000);
  expect(await three.state()).toEqual(['REFUNDED', 'REFUNDED', 'REFUNDED']);
  expect(await money.faults()).toEqual([]);
});

test('an order is refused for cycles of another customer, for paid ones, and several periods of a free plan', async () => {
  const [one, other] = [await threePeriods(), await threePeriods(3)];
  const send = (billingCycleIds: string[]) =>
    money.send(
      createOrderOfPeriods,
      { params: { activationId: one.activationId }, body: { billingCycleIds } },
      one.token,
    );
  expect((await send([one.cycleIds[0] ?? '', other.cycleIds[0] ?? ''])).status).toBe(404);
  expect((await send([])).status).toBe(400);
  const free = { params: { activationId: one.activationId, planId: 'free' }, body: { startDate: today(), periods: 2 } };
  expect((await money.send(addCycle, free, one.token)).body).toMatchObject({ code: 'one_period_only' });
  const tooMany = { ...free, params: { ...free.params, planId: 'growth' }, body: { startDate: today(), periods: 13 } };
  expect((await money.send(addCycle, tooMany, one.token)).status).toBe(400);
  await settlePayment(money.portal, (await pay(one)).paymentId);
  expect((await send(one.cycleIds)).body).toMatchObject({ code: 'nothing_to_pay' });
});

test('an operator refunds an amount of one named period, or each period of the payment with its own document', async () => {
  const three = await threePeriods();
  const { paymentId } = await pay(three);
  await settlePayment(money.portal, paymentId);
  const [first = '', second = ''] = three.cycleIds;
  const refund = (of: string, amountPaise?: number) =>
    makeRefund(money.portal, { of, reason: 'An outage', amountPaise }, 'asha');
  await expect(refund(paymentId, 1000)).rejects.toThrow(`Name the one that the amount is of: ${first} (₹1,499 left)`);
  await refund(first, 1000);
  await refund(second);
  expect(await three.state()).toEqual(['PAID', 'REFUNDED', 'PAID']);
  expect(await refund(paymentId)).toMatchObject({ totalPaise: 2 * price - 1000, already: false });
  expect(await three.state()).toEqual(['REFUNDED', 'REFUNDED', 'REFUNDED']);
  expect(await refund(paymentId)).toMatchObject({ already: true });
  expect(await three.refunds()).toEqual(
    expect.arrayContaining([
      ['OPERATOR', 0, 1000],
      ['OPERATOR', 0, price - 1000],
      ['OPERATOR', 1, price],
      ['OPERATOR', 2, price],
    ]),
  );
  expect((await three.papers()).filter(([kind]) => kind === 'REFUND_VOUCHER')).toEqual([
    ['REFUND_VOUCHER', 1, price],
    ['REFUND_VOUCHER', 2, price],
  ]);
  expect(await money.faults()).toEqual([]);
});
