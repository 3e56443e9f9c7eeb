import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { makeRefund, previewRefund } from '#server/features/payments/operator-refund.ts';
import { price, startElsewhere } from './test-elsewhere.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const refund = (of: string, reason: string, amountPaise?: number) =>
  makeRefund(money.portal, { of, reason, amountPaise }, 'asha');

test('a refund of a part by the operator leaves the plan running, with a credit note; the rest ends it', async () => {
  const one = await elsewhere.paid();
  expect(await previewRefund(money.portal, { of: one.paymentId, reason: 'Outage', amountPaise: 50_000 })).toMatchObject(
    {
      totalPaise: 50_000,
      cycles: [{ cycleId: one.cycleId, leftPaise: price - 50_000, paper: 'CREDIT_NOTE', effect: 'goes on' }],
    },
  );
  expect((await elsewhere.state(one)).refunds).toEqual([]);
  await refund(one.paymentId, 'Outage of 3 May', 50_000);
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'PAID',
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 50_000],
    ],
  });
  expect(await refund(one.cycleId, 'Everything')).toMatchObject({ totalPaise: price - 50_000, already: false });
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'REFUNDED',
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 50_000],
      ['CREDIT_NOTE', price - 50_000],
    ],
  });
  // The portal has the provider pay it out, as with every refund.
  expect(await elsewhere.atProvider(one)).toBe(0);
  await money.work();
  expect(await elsewhere.atProvider(one)).toBe(price);
  expect(await elsewhere.mailSubjects(one)).toEqual([
    'Payment received',
    'Refund started',
    'Refund started',
    'Refund completed',
    'Refund completed',
  ]);
  expect(await money.faults()).toEqual([]);
});

test('as much as was refunded elsewhere, or before a restore, is refunded again only if the reason names that refund', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.refundOnDashboard(one, 20_000);
  await elsewhere.deliverRefundWebhook(one, id);
  const again = `Razorpay has refunded ₹200 of this payment already (${id})`;
  await expect(previewRefund(money.portal, { of: one.cycleId, reason: 'Outage', amountPaise: 20_000 })).rejects.toThrow(
    again,
  );
  await expect(refund(one.cycleId, 'Outage', 20_000)).rejects.toThrow(again);
  expect(await refund(one.cycleId, 'Another outage', 10_000)).toMatchObject({ totalPaise: 10_000 });
  expect(await refund(one.cycleId, `Outage, besides ${id}`, 20_000)).toMatchObject({ totalPaise: 20_000 });
  await money.work();
  expect(await elsewhere.atProvider(one)).toBe(50_000);
  expect(await money.faults()).toEqual([]);
});

test('the same refund a second time refunds nothing, also when two operators give it at once', async () => {
  const one = await elsewhere.paid();
  const results = await Promise.all([1, 2, 3].map(() => refund(one.paymentId, ' Outage  of 3 May ', 10_000)));
  expect(results.filter(({ already }) => !already)).toHaveLength(1);
  expect(new Set(results.flatMap(({ refundIds }) => refundIds)).size).toBe(1);
  expect(await refund(one.paymentId, 'Outage of 4 May', 10_000)).toMatchObject({ already: false });
  await refund(one.paymentId, 'All of it');
  expect(await refund(one.paymentId, 'All of it')).toMatchObject({ already: true, totalPaise: price - 20_000 });
  await expect(refund(one.paymentId, 'Another reason')).rejects.toThrow('Nothing is left to refund');
  expect((await elsewhere.state(one)).refunds).toHaveLength(3);
  expect(await money.faults()).toEqual([]);
});

test('a plan that has not started is cancelled by a refund of all of it, with a refund voucher', async () => {
  const one = await elsewhere.paid(5);
  expect(await previewRefund(money.portal, { of: one.cycleId, reason: 'Ordered twice' })).toMatchObject({
    cycles: [{ paper: 'REFUND_VOUCHER', effect: 'is cancelled', leftPaise: 0 }],
  });
  await refund(one.cycleId, 'Ordered twice');
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'REFUNDED',
    documents: [
      ['RECEIPT_VOUCHER', price],
      ['REFUND_VOUCHER', price],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

test('no refund is over more than what is left, without a reason, or of a payment that paid for nothing', async () => {
  const one = await elsewhere.paid();
  await refund(one.paymentId, 'Part', 100_000);
  await expect(refund(one.paymentId, 'More', 50_000)).rejects.toThrow(
    'Between ₹1 and ₹498 can be refunded, or all of ₹499',
  );
  await expect(refund(one.paymentId, 'Less', 99)).rejects.toThrow('Between ₹1');
  await expect(refund(one.paymentId, '  ', 100)).rejects.toThrow('Give a reason');
  await expect(refund(one.paymentId, 'x'.repeat(201), 100)).rejects.toThrow('at most 200 characters');
  await expect(refund('pay_unknown', 'None')).rejects.toThrow('No payment is known as pay_unknown');
  const late = await elsewhere.captured();
  await late.end();
  await late.verify();
  await expect(refund(late.paymentId, 'Late')).rejects.toThrow('paid for nothing');
  expect(await money.faults()).toEqual([]);
});

test('a refund by the operator is in the audit log in its own transaction, and the customer reads the reason', async () => {
  const one = await elsewhere.paid();
  const { refundIds } = await refund(one.paymentId, 'Outage of 3 May', 10_000);
  expect(await listActions(money.portal.db, { limit: 1 })).toMatchObject([
    {
      actor: 'asha',
      action: 'payments.refund',
      target: one.paymentId,
      effect: { refunds: refundIds, amountPaise: 10_000 },
    },
  ]);
  const { providerActions } = await money.ask(readAccount, {}, one.token);
  expect(providerActions).toMatchObject([{ action: 'payments.refund', reason: 'Outage of 3 May' }]);
  const { db } = money.portal;
  // Not even SQL makes one without it.
  await expect(
    db.transaction().execute(async (tx) => {
      await sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, origin)
        select 'RFD-COPY', payment_id, cycle_id, customer_id, 500, 'Gift', 'STARTED', created_at, 'OPERATOR' from refunds
        where id = ${refundIds[0] ?? ''}`.execute(tx);
    }),
  ).rejects.toThrow(/not in the (audit log|ledger)|is not due/);
});

test('the rest of a plan, as much as a part before it, is refunded for another reason, and the preview says so', async () => {
  const one = await elsewhere.paid();
  await refund(one.cycleId, 'Half of it', price / 2);
  const refusal = `₹749.50 of ${one.cycleId} was refunded for this reason before`;
  const order = { of: one.cycleId, reason: ' Half  of it' };
  await expect(previewRefund(money.portal, order)).rejects.toThrow(refusal);
  await expect(refund(one.cycleId, order.reason)).rejects.toThrow(OperatorRefusal);
  expect((await elsewhere.state(one)).refunds).toHaveLength(1);
  expect(await refund(one.cycleId, 'The other half')).toMatchObject({ totalPaise: price / 2, already: false });
  expect(await money.faults()).toEqual([]);
});

test('what Razorpay can’t pay is not refunded to an erased customer, whose bank account nobody knows', async () => {
  const one = await elsewhere.paid();
  money.moveClock(200 * dayMs);
  const cause = { actor: 'asha', reason: 'Asked' };
  await eraseByOperator(money.portal, one.customerId, cause, { endPlans: true, withinYear: true });
  const refusal = `${one.customerId} is erased, and Razorpay can’t pay this refund`;
  await expect(previewRefund(money.portal, { of: one.cycleId, reason: 'Goodwill' })).rejects.toThrow(refusal);
  await expect(refund(one.cycleId, 'Goodwill')).rejects.toThrow(refusal);
  expect((await elsewhere.state(one)).refunds).toEqual([]);
});
