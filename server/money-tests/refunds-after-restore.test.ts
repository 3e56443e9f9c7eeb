import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { price } from './test-elsewhere.ts';
import { type Money, startMoney } from './test-money.ts';
import { threeUnpaidPeriods } from './test-periods.ts';

// A restored database has lost its own refunds, which Razorpay's records still have.
let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** One payment of three periods. */
async function prepaid() {
  const { customerId, cycleIds, order } = await threeUnpaidPeriods(money);
  const { paymentId } = await money.checkOut((await order()).orderId);
  await settlePayment(money.portal, paymentId);
  const refunded = async (amount: number, notes?: object) => {
    const made = await money.standin('POST', `/standin/payments/${paymentId}/refund`, { amount, notes });
    await bookRefundsOf(money.portal, paymentId);
    return String(made['id']);
  };
  const refunds = async () => {
    const rows = await money.portal.db
      .selectFrom('refunds')
      .select(['cycle_id', 'amount_paise'])
      .where('payment_id', '=', paymentId)
      .orderBy('amount_paise')
      .execute();
    return rows.map((row) => [cycleIds.indexOf(row.cycle_id), row.amount_paise]);
  };
  return { customerId, paymentId, cycleIds, refunded, refunds };
}

const refund = (of: string, reason: string, amountPaise?: number) =>
  makeRefund(money.portal, { of, reason, amountPaise }, 'asha');

test('as much as Razorpay has refunded of a payment is refunded again of none of its plans, unless the reason names that refund', async () => {
  const three = await prepaid();
  const [first = '', second = ''] = three.cycleIds;
  const id = await three.refunded(price);
  expect(await three.refunds()).toEqual([[2, price]]);
  await expect(refund(first, 'Outage')).rejects.toThrow(`Razorpay has refunded ₹1,499 of this payment already (${id})`);
  // The database holds it too.
  const { db } = money.portal;
  const sneaking = db.transaction().execute(async (tx) => {
    const { customerId, paymentId } = three;
    await sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, origin)
      values ('RFD-SNEAKY', ${paymentId}, ${first}, ${customerId}, ${price}, 'Outage', 'STARTED', now(), 'OPERATOR')`.execute(
      tx,
    );
    const effect = { refunds: ['RFD-SNEAKY'], amountPaise: price, cycles: [first], packs: [] };
    const entry = { action: 'payments.refund', target: paymentId, customerId, effect, paise: price } as const;
    await recordAction(tx, { actor: 'asha', reason: 'Outage', ...entry });
    await sql`set constraints refunds_are_not_repeated immediate`.execute(tx);
  });
  await expect(sneaking).rejects.toThrow('is as much as the provider has refunded already');
  expect(await refund(second, `Besides ${id}`)).toMatchObject({ totalPaise: price });
  expect(await money.faults()).toEqual([]);
});

test('a refund at Razorpay that is booked on two plans counts as one', async () => {
  const three = await prepaid();
  await three.refunded(price - 50_000);
  const id = await three.refunded(110_000);
  expect(await three.refunds()).toEqual([
    [2, 50_000],
    [1, 60_000],
    [2, price - 50_000],
  ]);
  const [first = ''] = three.cycleIds;
  await expect(refund(first, 'Outage', 110_000)).rejects.toThrow(id);
  expect(await refund(first, 'Outage', 50_000)).toMatchObject({ totalPaise: 50_000 });
  expect(await money.faults()).toEqual([]);
});

test('a refund that the lost database had requested is booked on its own plan again', async () => {
  const three = await prepaid();
  const [first = ''] = three.cycleIds;
  await refund(first, 'Outage', 20_000);
  await money.work();
  const [made] = await money.portal.razorpay.listRefunds(three.paymentId);
  expect(made).toMatchObject({ notes: { cycle: first } });
  const other = await prepaid();
  await other.refunded(30_000, { cycle: other.cycleIds[0] });
  expect(await other.refunds()).toEqual([[0, 30_000]]);
  await other.refunded(40_000, { cycle: first });
  expect(await other.refunds()).toEqual([
    [0, 30_000],
    [2, 40_000],
  ]);
  expect(await money.faults()).toEqual([]);
});
