import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { copyCycle, refundDueEntry, ids, insertOrder, insertPayment, insertRefund } from './test-attacks.ts';
import { documentAttacks } from './document-attacks.ts';
import { ledgerAttacks } from './ledger-attacks.ts';
import { type Money, startMoney } from './test-money.ts';

/** The database alone: the statements bypass the portal's own checks. */
let money: Money;
beforeAll(async () => {
  money = await startMoney();
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, plan, customer.token);
  const pay = async (cycleId: string) => {
    const { orderId } = await createOrder(money.portal, customer, cycleId);
    const { paymentId } = await money.checkOut(orderId);
    return { paymentId, settle: () => settlePayment(money.portal, paymentId) };
  };
  const today = dayOf(money.portal.clock());
  const add = async (inDays: number) =>
    (await addCycle(money.portal, customer, activationId, 'starter', addDays(today, inDays))).billingCycleId;
  const first = await pay(billingCycleId ?? '');
  await first.settle();
  const upcoming = await add(30);
  await (await pay(upcoming)).settle();
  const removed = await add(60);
  const late = await pay(removed);
  await endCycle(money.portal, customer, activationId, removed);
  await late.settle();
  const pending = await add(90);
  await createOrder(money.portal, customer, pending);
  await money.work();
  const other = await money.newCustomer();
  const trial = await money.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'trial' } }, other.token);
  Object.assign(ids, {
    customer: customer.customerId,
    activation: activationId,
    paid: billingCycleId,
    upcoming,
    removed,
    pending,
    payment: first.paymentId,
    refunded: late.paymentId,
    trial: trial.billingCycleId,
  });
});
afterAll(() => money.close());

/** Each attack: what it does to the money, its statements, and the database's error. */
const attacks: [string, () => string[], RegExp][] = [
  // At most one cycle gives access at any time.
  [
    'a second cycle over the same days is made free',
    () => [copyCycle('CYC-A', { status: 'NO_PAYMENT_REQUIRED', price_paise: 0 }, ids.paid)],
    /cycles_never_overlap/,
  ],
  ['a second cycle over the same days is made paid', () => [copyCycle('CYC-A', {}, ids.paid)], /cycles_never_overlap/],
  [
    'a paid cycle is moved onto another',
    () => [
      `update cycles set from_date = (select from_date from cycles where id = '${ids.paid}') where id = '${ids.upcoming}'`,
    ],
    /dates can't change/,
  ],
  [
    'an ended cycle is revived',
    () => [`update cycles set status = 'PAID', paid_at = now() where id = '${ids.removed}'`],
    /cannot go from REMOVED to PAID/,
  ],
  [
    'a cycle gets longer while it is paid',
    () => [`update cycles set status = 'PAID', paid_at = now(), to_date = to_date + 1 where id = '${ids.pending}'`],
    /dates can't change/,
  ],
  ['a cycle gets cheaper', () => [`update cycles set price_paise = 100 where id = '${ids.pending}'`], /never changes/],
  // Captured money is used exactly once.
  [
    'a cycle is marked as paid without a payment',
    () => [`update cycles set status = 'PAID', paid_at = now() where id = '${ids.pending}'`],
    /paid by no payment/,
  ],
  [
    'a paid cycle is refunded without a refund',
    () => [`update cycles set status = 'REFUNDED' where id = '${ids.upcoming}'`],
    /0 paise of it are given back/,
  ],
  [
    'a refunded cycle stays paid',
    () => [insertRefund(ids.payment, ids.paid, 149_900), ...refundDueEntry(ids.payment, ids.paid, 149_900)],
    /not due|while 149900 paise/,
  ],
  [
    'a refund is larger than its payment',
    () => [
      `update cycles set status = 'DEACTIVATED' where id = '${ids.paid}'`,
      insertRefund(ids.payment, ids.paid, 149_901),
    ],
    /not due/,
  ],
  ['a payment is refunded twice', () => [insertRefund(ids.refunded, ids.removed, 49_900)], /refunds_one_of_ours/],
  ['a refund of a payment of another cycle', () => [insertRefund(ids.payment, ids.pending, 100)], /not due/],
  [
    'a refund has no ledger entry',
    () => [
      `update cycles set status = 'DEACTIVATED' where id = '${ids.paid}'`,
      insertRefund(ids.payment, ids.paid, 100),
    ],
    /not in the ledger/,
  ],
  ['captured money has no use', () => [insertPayment('captured', null)], /check/],
  [
    'captured money pays for a cycle that stays unpaid',
    () => [insertPayment('captured', 'CYCLE')],
    /does not pay for cycle|not in the ledger/,
  ],
  [
    'captured money that must be refunded has no refund',
    () => [insertPayment('captured', 'REFUND')],
    /has to be refunded and is not/,
  ],
  [
    'too little money pays for a cycle',
    () => [
      insertPayment('captured', 'CYCLE', 100),
      `update payment_orders set status = 'PAID' where cycle_id = '${ids.pending}'`,
      `update cycles set status = 'PAID', paid_at = now() where id = '${ids.pending}'`,
    ],
    /does not pay for cycle/,
  ],
  [
    'two payments pay for one cycle',
    () => [
      `insert into payments select 'pay_second', order_id, cycle_id, customer_id, amount_paise, currency, status, method, null, created_at, captured_at, use from payments where provider_payment_id = '${ids.payment}'`,
    ],
    /payments_one_per_order/,
  ],
  [
    'a payment is stored twice',
    () => [`insert into payments select * from payments where provider_payment_id = '${ids.payment}'`],
    /payments_pkey/,
  ],
  [
    'a capture is undone',
    () => [
      `update payments set status = 'failed', use = null, captured_at = null where provider_payment_id = '${ids.payment}'`,
    ],
    /cannot go from captured/,
  ],
  [
    'a used payment is used again',
    () => [`update payments set use = 'REFUND' where provider_payment_id = '${ids.payment}'`],
    /cannot go from captured/,
  ],
  [
    'a captured payment gets another amount',
    () => [`update payments set amount_paise = 1 where provider_payment_id = '${ids.payment}'`],
    /cannot go from captured/,
  ],
  [
    'a payment is given to another cycle',
    () => [`update payments set cycle_id = '${ids.pending}' where provider_payment_id = '${ids.payment}'`],
    /can't change/,
  ],
  [
    'a completed refund is undone',
    () => [`update refunds set status = 'STARTED', settled_at = null where payment_id = '${ids.refunded}'`],
    /cannot go from PROCESSED/,
  ],
  [
    'a refund gets another amount',
    () => [`update refunds set amount_paise = 1 where payment_id = '${ids.refunded}'`],
    /can't change/,
  ],
  // One live order with the cycle's price.
  ['a second live order', () => [insertOrder('ORD-2', 49_900)], /order_cycles_one_live/],
  [
    'an order over one rupee',
    () => [`update payment_orders set status = 'CLOSED' where cycle_id = '${ids.pending}'`, insertOrder('ORD-3', 100)],
    /over the prices of its cycles/,
  ],
  [
    'an order for another customer’s cycle',
    () => [
      `insert into payment_orders select 'ORD-4', cycle_id, activation_id, customer_id || 'X', null, amount_paise, currency, 'CLOSED', null, 0, null, created_at from payment_orders where cycle_id = '${ids.pending}'`,
    ],
    /foreign key/,
  ],
  [
    'a paid order is opened again',
    () => [`update payment_orders set status = 'OPEN' where cycle_id = '${ids.paid}'`],
    /cannot go from PAID/,
  ],
  [
    'an order changes its amount',
    () => [`update payment_orders set amount_paise = 100 where cycle_id = '${ids.pending}'`],
    /can't change/,
  ],
  [
    'an order changes its id at the provider',
    () => [`update payment_orders set provider_order_id = 'order_X' where cycle_id = '${ids.pending}'`],
    /can't change/,
  ],
  // At most one activation and one trial per product.
  [
    'a second activation',
    () => [`insert into activations values ('ACT-2', '${ids.customer}', 'tax-lookup-api', now(), null)`],
    /activations_one_per_service/,
  ],
  [
    'a deleted activation comes back',
    () => [
      `update activations set deleted_at = now() where id = '${ids.activation}'`,
      `update activations set deleted_at = null where id = '${ids.activation}'`,
    ],
    /stays what it is/,
  ],
  [
    'a cycle on a deleted activation',
    () => [
      `update activations set deleted_at = now() where id = '${ids.activation}'`,
      copyCycle(
        'CYC-B',
        { status: 'NO_PAYMENT_REQUIRED', price_paise: 0, from_date: '2099-01-01', to_date: '2099-02-01' },
        ids.paid,
      ),
    ],
    /is deleted/,
  ],
  [
    'a second trial',
    () => [copyCycle('CYC-C', { from_date: '2099-01-01', to_date: '2099-02-01' }, ids.trial)],
    /cycles_one_trial/,
  ],
  // Nothing is ever deleted.
  ...['cycles', 'payments', 'refunds', 'payment_orders', 'activations'].map(
    (table): [string, () => string[], RegExp] => [
      `a row of ${table} is deleted`,
      () => [`delete from ${table}`],
      /never changed or deleted/,
    ],
  ),
  ...['cycles', 'payments', 'refunds', 'ledger_entries', 'ledger_lines', 'ledger_head'].map(
    (table): [string, () => string[], RegExp] => [
      `${table} is emptied`,
      () => [`truncate ${table} cascade`],
      /never emptied/,
    ],
  ),
];

test.each([...attacks, ...ledgerAttacks, ...documentAttacks])(
  'the database refuses: %s',
  async (_what, statements, error) => {
    // With the owner's rights: the rules hold without those of the users.
    const attack = money.owner.db.transaction().execute(async (tx) => {
      for (const statement of statements()) await sql.raw(statement).execute(tx);
    });
    await expect(attack).rejects.toThrow(error);
  },
);

test('after all attacks the ledger is correct', async () => {
  expect(await money.faults()).toEqual([]);
});
