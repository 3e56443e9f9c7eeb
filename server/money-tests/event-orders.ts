import fc from 'fast-check';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { endCycle } from '#server/features/cycles/cycles.ts';
import { type Money, browserReport } from './test-money.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settleFetched } from '#server/features/payments/settle.ts';
import { verifyPayment } from '#server/features/payments/verify.ts';

/** All events about a payment. */
export const events = ['authorized', 'captured', 'order.paid', 'failed', 'verify call', 'refund.processed'] as const;
export type Event = (typeof events)[number];

/** All 720 orders of the six events. */
export function allOrders(rest: readonly Event[] = events): Event[][] {
  if (rest.length === 0) return [[]];
  return rest.flatMap((first) => allOrders(rest.filter((each) => each !== first)).map((order) => [first, ...order]));
}

/** A payment with its state at the provider at each step: failed first, authorised late, captured. */
interface PaymentStates {
  customerId: string;
  cycleId: string;
  activationId: string;
  orderId: string;
  at: { failed: ProviderPayment; authorized: ProviderPayment; captured: ProviderPayment };
}

/** Takes one payment through all its states at the provider, without informing the portal. */
export async function playPayment(money: Money): Promise<PaymentStates> {
  const { customerId, token } = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, call, token);
  const { orderId } = await createOrder(money.portal, { customerId }, billingCycleId ?? '');
  const started = await money.pay(orderId, { method: 'upi', outcome: 'pending' });
  const paymentId = String(started['razorpay_payment_id']);
  const read = () => money.portal.razorpay.readPayment(paymentId);
  await money.standin('POST', `/standin/payments/${paymentId}/fail`, {});
  const failed = await read();
  await money.standin('POST', `/standin/payments/${paymentId}/authorize`, { capture: false });
  const authorized = await read();
  await money.standin('POST', `/standin/payments/${paymentId}/capture`, {});
  const captured = await read();
  return { customerId, cycleId: billingCycleId ?? '', activationId, orderId, at: { failed, authorized, captured } };
}

/**
 * Delivers the events of the payment in one order, each event twice and each time to a newly started process. An event carries the
 * provider's state at its time, so that stale data arrives late; `refund.processed` carries out the refund, if there is one.
 */
export async function deliverInOrder(
  money: Money,
  payment: PaymentStates,
  order: readonly Event[],
  fresh: () => Portal,
) {
  const { at, customerId, orderId } = payment;
  const deliver: Record<Event, (portal: Portal) => Promise<unknown>> = {
    authorized: (portal) => settleFetched(portal, at.authorized),
    captured: (portal) => settleFetched(portal, at.captured),
    'order.paid': (portal) => settleFetched(portal, at.captured),
    failed: (portal) => settleFetched(portal, at.failed),
    'verify call': (portal) => verifyPayment(portal, { customerId }, browserReport(orderId, at.captured.id)),
    'refund.processed': (portal) => refundAll(portal, payment),
  };
  for (const event of order) {
    await deliver[event](fresh());
    await deliver[event](fresh());
  }
  await refundAll(fresh(), payment);
  return finalState(money, payment);
}

async function refundAll(portal: Portal, { cycleId }: PaymentStates): Promise<void> {
  const due = await portal.db.selectFrom('refunds').select('id').where('cycle_id', '=', cycleId).execute();
  for (const { id } of due) await carryOutRefund(portal, id);
}

/** Everything stored about the payment, without ids and times. */
async function finalState(money: Money, { cycleId }: PaymentStates) {
  const { db } = money.portal;
  const cycle = await db.selectFrom('cycles').select('status').where('id', '=', cycleId).executeTakeFirstOrThrow();
  const payments = await db.selectFrom('payments').selectAll().where('cycle_id', '=', cycleId).execute();
  const refunds = await db.selectFrom('refunds').selectAll().where('cycle_id', '=', cycleId).execute();
  const entries = await db.selectFrom('ledger_entries').select('kind').where('cycle_id', '=', cycleId).execute();
  const orders = await db.selectFrom('payment_orders').select('status').where('cycle_id', '=', cycleId).execute();
  return JSON.stringify({
    cycle: cycle.status,
    payments: payments.map((each) => [each.status, each.use, each.amount_paise]),
    refunds: refunds.map((each) => [each.status, each.amount_paise, each.attempt]),
    entries: entries.map((each) => each.kind).toSorted(),
    orders: orders.map((each) => each.status),
  });
}

/** The same payment, for a cycle that its customer removed before the portal knew of the payment. */
export async function removed(money: Money, payment: PaymentStates): Promise<PaymentStates> {
  await endCycle(money.portal, { customerId: payment.customerId }, payment.activationId, payment.cycleId);
  return payment;
}

/** A sample of the orders, by a seed that is printed on failure. */
export function sampleOrders(count: number, seed: number): Event[][] {
  const all = allOrders();
  return fc.sample(fc.shuffledSubarray(all, { minLength: count, maxLength: count }), { seed, numRuns: 1 })[0] ?? [];
}
