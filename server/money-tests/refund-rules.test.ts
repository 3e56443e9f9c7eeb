import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { addCycle } from '#server/features/cycles/cycles.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { ids, insertPayment, insertRefund, refundDueEntry } from './test-attacks.ts';
import { type Money, startMoney } from './test-money.ts';

/** Each rule of `refunds_are_due`, broken by SQL alone. */
let money: Money;
const price = 149_900;

beforeAll(async () => {
  money = await startMoney();
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId: paid = '' } = await money.ask(activatePlan, plan, customer.token);
  const { paymentId } = await money.checkOut((await createOrder(money.portal, customer, paid)).orderId);
  await settlePayment(money.portal, paymentId);
  const start = addDays(dayOf(money.portal.clock()), 30);
  const pending = (await addCycle(money.portal, customer, activationId, 'starter', start)).billingCycleId;
  await createOrder(money.portal, customer, pending);
  Object.assign(ids, { customer: customer.customerId, activation: activationId, paid, pending, payment: paymentId });
});
afterAll(() => money.close());

const end = (status: 'DEACTIVATED' | 'REFUNDED') => `update cycles set status = '${status}' where id = '${ids.paid}'`;
const refund = (paise: number) => insertRefund(ids.payment, ids.paid, paise);
const ofPending = (paise: number) => insertRefund('pay_X', ids.pending, paise);
/** The same refund with other values. */
const as = (statement: string, columns: Record<string, string | number>): string =>
  statement.replace('created_at)', `created_at, ${Object.keys(columns).join(', ')})`).replace(
    /\)$/,
    `, ${Object.values(columns)
      .map((value) => `'${value}'`)
      .join(', ')})`,
  );
const byOperator = { origin: 'OPERATOR' };
const elsewhere = { origin: 'PROVIDER', foreign_id: 'rfnd_X' };

const rules: [string, () => string[]][] = [
  [
    'is not due (of_captured_money)',
    () => [insertPayment('authorized', null).replace('now(), now()', 'now(), null'), ofPending(100)],
  ],
  ['is not due (of_a_cycle_that_was_paid)', () => [insertRefund(ids.payment, ids.pending, 100)]],
  ['is not due (within_the_price)', () => [end('DEACTIVATED'), refund(price + 1)]],
  ['is not due (covers_what_is_covered)', () => [as(refund(100), { ...elsewhere, covers_paise: 50 })]],
  ['is not due (loss_only_beyond_the_price)', () => [as(refund(0), { ...elsewhere, loss_paise: 500 })]],
  ['is not due (unused_payment_as_a_whole)', () => [insertPayment('captured', 'REFUND'), ofPending(100)]],
  ['is not due (by_its_rule_once_it_ended)', () => [refund(100)]],
  [
    'is not due (of_a_cycle_that_gave_access)',
    () => [insertPayment('captured', 'CYCLE'), as(ofPending(100), byOperator)],
  ],
  ['is not due (no_access_without_its_price)', () => [as(refund(price), byOperator)]],
  ['is not due (refunded_is_all_of_it)', () => [end('REFUNDED'), refund(100)]],
  ['is not due (tds_of_an_accepted_claim)', () => [as(refund(100), { origin: 'TDS' })]],
  [
    'the provider has less left',
    () => [
      end('DEACTIVATED'),
      as(refund(price), byOperator),
      as(refund(100), { origin: 'TDS' }).replace('RFD-X', 'RFD-Y'),
    ],
  ],
  ['leaves less than a rupee', () => [as(refund(price - 50), byOperator)]],
  ['of unused days is less than a rupee', () => [end('DEACTIVATED'), refund(50)]],
  ['is not in the ledger', () => [end('DEACTIVATED'), refund(100)]],
  [
    'is over more than is unused',
    () => [end('DEACTIVATED'), refund(100), ...refundDueEntry(ids.payment, ids.paid, 100)],
  ],
];

test.each(rules)('the database refuses a refund that breaks its rule: %s', async (message, statements) => {
  const broken = money.owner.db.transaction().execute(async (tx) => {
    for (const statement of [...statements(), 'set constraints refunds_are_due immediate'])
      await sql.raw(statement).execute(tx);
  });
  await expect(broken).rejects.toThrow(message);
});

test('after all of that the ledger is correct', async () => {
  expect(await money.faults()).toEqual([]);
});
