import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { acceptTds } from '#server/features/tds/decide.ts';
import { price, startElsewhere } from './test-elsewhere.ts';
import { type Money, startMoney } from './test-money.ts';
import { threeUnpaidPeriods } from './test-periods.ts';
import { businessProfile, declareTds } from './test-tds.ts';

// A restored database has lost its own refunds, which Razorpay's records still have.
let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** One payment of three periods. */
async function prepaid() {
  const { customerId, cycleIds, order, end } = await threeUnpaidPeriods(money);
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
  return { customerId, paymentId, cycleIds, refunded, refunds, end };
}

const refund = (of: string, reason: string, amountPaise?: number) =>
  makeRefund(money.portal, { of, reason, amountPaise }, 'asha');

/** Past the portal's own check: the database holds the rule too. */
const refundUnchecked = (
  { customerId, paymentId, cycleIds: [first = ''] }: Awaited<ReturnType<typeof prepaid>>,
  paise: number,
) =>
  money.portal.db.transaction().execute(async (tx) => {
    await sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, origin)
      values ('RFD-SNEAKY', ${paymentId}, ${first}, ${customerId}, ${paise}, 'Outage', 'STARTED', now(), 'OPERATOR')`.execute(
      tx,
    );
    const effect = { refunds: ['RFD-SNEAKY'], amountPaise: paise, cycles: [first], packs: [] };
    const entry = { action: 'payments.refund', target: paymentId, customerId, effect, paise } as const;
    await recordAction(tx, { actor: 'asha', reason: 'Outage', ...entry });
    await sql`set constraints refunds_are_not_repeated immediate`.execute(tx);
  });

test('as much as Razorpay has refunded of a payment is refunded again of none of its plans, unless the reason names that refund', async () => {
  const three = await prepaid();
  const [first = '', second = ''] = three.cycleIds;
  const id = await three.refunded(price);
  expect(await three.refunds()).toEqual([[2, price]]);
  await expect(refund(first, 'Outage')).rejects.toThrow(`Razorpay has refunded ₹1,499 of this payment already (${id})`);
  await expect(refundUnchecked(three, price)).rejects.toThrow('is as much as the provider has refunded already');
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

test('a refund at Razorpay pays no promise of another plan than it notes, and is not repeated', async () => {
  const three = await prepaid();
  const [first = '', second = ''] = three.cycleIds;
  await refund(second, 'Late keys', 10_000);
  const id = await three.refunded(50_000, { cycle: first });
  expect(await three.refunds()).toEqual([
    [1, 10_000],
    [0, 50_000],
  ]);
  await expect(refund(first, 'Outage', 50_000)).rejects.toThrow(id);
  await money.work();
  expect((await money.portal.razorpay.readPayment(three.paymentId)).amount_refunded).toBe(60_000);
  expect(await money.faults()).toEqual([]);
});

test('of a refund at Razorpay that pays a promise in part, neither the whole nor the rest is repeated', async () => {
  const three = await prepaid();
  const [first = '', second = ''] = three.cycleIds;
  await refund(second, 'Late keys', 10_000);
  const id = await three.refunded(50_000);
  const message = `Razorpay has refunded ₹500 of this payment already (${id})`;
  await expect(refund(first, 'Outage', 50_000)).rejects.toThrow(message);
  await expect(refund(first, 'Outage', 40_000)).rejects.toThrow(message);
  for (const paise of [40_000, 50_000])
    await expect(refundUnchecked(three, paise)).rejects.toThrow('is as much as the provider has refunded already');
  expect(await refund(first, 'Outage', 45_000)).toMatchObject({ totalPaise: 45_000 });
  expect(await money.faults()).toEqual([]);
});

test('as much as a refund at Razorpay that paid promises alone is refunded again', async () => {
  const three = await prepaid();
  const [first = '', second = ''] = three.cycleIds;
  await refund(second, 'Late keys', 10_000);
  await three.refunded(10_000);
  expect(await refund(first, 'Outage', 10_000)).toMatchObject({ totalPaise: 10_000 });
  expect(await money.faults()).toEqual([]);
});

test('a refund that the lost database had requested is booked on its own plan again', async () => {
  const three = await prepaid();
  const [first = ''] = three.cycleIds;
  await refund(first, 'Outage', 20_000);
  await money.work();
  const [made] = await money.portal.razorpay.listRefunds(three.paymentId);
  expect(made).toMatchObject({ notes: { cycle: first, cause: 'OPERATOR' } });
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

test.each(['CORRECTION', 'TDS'])(
  'a %s that the database lost is not refunded again of its own plan, and holds up no refund of the others',
  async (cause) => {
    const three = await prepaid();
    const [first = '', second = ''] = three.cycleIds;
    const id = await three.refunded(12_700, { cycle: first, cause });
    expect(await three.refunds()).toEqual([[0, 12_700]]);
    await expect(refund(first, 'Outage', 12_700)).rejects.toThrow(id);
    await expect(refundUnchecked(three, 12_700)).rejects.toThrow('is as much as the provider has refunded already');
    expect(await refund(second, 'Outage', 12_700)).toMatchObject({ totalPaise: 12_700 });
    expect(await money.faults()).toEqual([]);
  },
);

test('a plan whose end was lost ends again once its refund is found, and gives back nothing more', async () => {
  const three = await prepaid();
  const [first = ''] = three.cycleIds;
  await three.refunded(50_000, { cycle: first, cause: 'PORTAL' });
  const { db } = money.portal;
  const cycle = await db.selectFrom('cycles').select('status').where('id', '=', first).executeTakeFirstOrThrow();
  expect(cycle.status).toBe('DEACTIVATED');
  await expect(three.end(0)).rejects.toThrow('cannot_deactivate');
  expect(await three.refunds()).toEqual([[0, 50_000]]);
  expect(await money.faults()).toEqual([]);
});

test('tax deducted at source that was refunded before the restore is booked as such, and its claim is accepted without another refund', async () => {
  const one = await startElsewhere(money).paid(0, businessProfile);
  const { cycleId, paymentId } = one;
  const refundedTds = async (amount: number) => {
    const notes = { cycle: cycleId, cause: 'TDS' };
    const { id } = await money.standin('POST', `/standin/payments/${paymentId}/refund`, { amount, notes });
    await bookRefundsOf(money.portal, paymentId);
    return String(id);
  };
  await refundedTds(12_700);
  const elsewhere = startElsewhere(money);
  const found = { cycle: 'PAID', refunds: [['TDS', 'PROCESSED', 12_700, 0, 0]], documents: [['INVOICE', price]] };
  expect(await elsewhere.state(one)).toEqual(found);
  expect(await elsewhere.balances(one)).toMatchObject({ tds: 12_700 });
  const claimId = await declareTds(money, one, cycleId, 12_700);
  await acceptTds(money.portal, claimId, { actor: 'asha', reason: 'Form 16A' });
  await money.work();
  expect(await elsewhere.state(one)).toEqual(found);
  expect(await elsewhere.atProvider(one)).toBe(12_700);
  expect(await money.faults()).toEqual([]);
});

test('a claim over another amount than the tax that was refunded before the restore is not accepted', async () => {
  const one = await startElsewhere(money).paid(0, businessProfile);
  const notes = { cycle: one.cycleId, cause: 'TDS' };
  await money.standin('POST', `/standin/payments/${one.paymentId}/refund`, { amount: 10_000, notes });
  await bookRefundsOf(money.portal, one.paymentId);
  const claimId = await declareTds(money, one, one.cycleId, 12_700);
  const accepted = acceptTds(money.portal, claimId, { actor: 'asha', reason: 'Form 16A' });
  await expect(accepted).rejects.toThrow('Razorpay has refunded ₹100 for tax deducted from this payment already');
  expect(await money.faults()).toEqual([]);
});

test('what Razorpay refunded beyond the price counts as refunded too: a claim over as much is not accepted', async () => {
  const elsewhere = startElsewhere(money);
  const one = await elsewhere.paid(0, businessProfile);
  const claimId = await declareTds(money, one, one.cycleId, 12_700);
  await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
  const id = await elsewhere.refundOnDashboard(one, 12_700);
  await bookRefundsOf(money.portal, one.paymentId);
  expect(await elsewhere.balances(one)).toMatchObject({ losses: 12_700 });
  const accepted = acceptTds(money.portal, claimId, { actor: 'asha', reason: 'Form 16A' });
  await expect(accepted).rejects.toThrow(`Razorpay has refunded ₹127 of this payment already (${id})`);
  expect(await money.faults()).toEqual([]);
});
