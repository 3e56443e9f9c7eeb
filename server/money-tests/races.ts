import { activatePlan } from '#shared/contract/marketplace.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { deleteActivation } from '#server/features/activations/activations.ts';
import { type Money, browserReport } from './test-money.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { verifyPayment } from '#server/features/payments/verify.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';

/** An activation with a running free plan, and an upcoming cycle whose order has been paid at the bank. */
async function createFixture(money: Money) {
  const { customerId, token } = await money.newCustomer();
  const owner = { customerId };
  const call = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, call, token);
  const today = dayOf(money.portal.clock());
  const { billingCycleId: unpaid } = await addCycle(money.portal, owner, activationId, 'growth', addDays(today, 30));
  const { orderId } = await createOrder(money.portal, owner, unpaid);
  const { paymentId } = await money.checkOut(orderId);
  const { billingCycleId: other } = await addCycle(money.portal, owner, activationId, 'starter', addDays(today, 30));
  return { owner, activationId, running: billingCycleId ?? '', unpaid, other, orderId, paymentId, today };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** What two people, programs or tabs may do to one activation at the same time. */
const moves: Record<string, (portal: Portal, ground: Fixture) => Promise<unknown>> = {
  deactivate: (portal, { owner, activationId, running }) => endCycle(portal, owner, activationId, running),
  remove: (portal, { owner, activationId, unpaid }) => endCycle(portal, owner, activationId, unpaid),
  'pay (verify)': (portal, { owner, orderId, paymentId }) =>
    verifyPayment(portal, owner, browserReport(orderId, paymentId)),
  'pay (webhook)': (portal, { paymentId }) => settlePayment(portal, paymentId),
  add: (portal, { owner, activationId, today }) => addCycle(portal, owner, activationId, 'free', addDays(today, 35)),
  'delete activation': (portal, { owner, activationId }) => deleteActivation(portal, owner, activationId),
  'create order': (portal, { owner, unpaid }) => createOrder(portal, owner, unpaid),
};

/** Every pair of moves, including a move with itself. */
export const pairs: [string, string][] = Object.keys(moves).flatMap((first, index) =>
  Object.keys(moves)
    .slice(index)
    .map((second): [string, string] => [first, second]),
);

/** The outcome of a move: done, or the code of its refusal. Any other error is rethrown, as customers would see it. */
async function outcome(portal: Portal, name: string, ground: Fixture): Promise<string> {
  try {
    const result = await moves[name]?.(portal, ground);
    const status = typeof result === 'object' && result !== null && 'status' in result ? result.status : result;
    return name.startsWith('pay') ? String(status).replace('success', 'paid') : 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** The state of an activation, without ids. */
async function stateOf(portal: Portal, { activationId, owner }: Fixture): Promise<string> {
  const { db } = portal;
  const activation = await db
    .selectFrom('activations')
    .select('deleted_at')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  const cycles = await db
    .selectFrom('cycles')
    .select(['status', 'from_date', 'price_paise'])
    .where('activation_id', '=', activationId)
    .execute();
  const orders = await db
    .selectFrom('payment_orders')
    .select('status')
    .where('activation_id', '=', activationId)
    .execute();
  const refunds = await db
    .selectFrom('refunds')
    .select('amount_paise')
    .where('customer_id', '=', owner.customerId)
    .execute();
  return JSON.stringify({
    deleted: activation.deleted_at !== null,
    cycles: cycles.map((each) => `${each.price_paise} ${each.status} ${each.from_date}`).toSorted(),
    orders: orders.map((each) => each.status).toSorted(),
    refunds: refunds.map((each) => each.amount_paise),
  });
}

/** The outcomes of two moves one after the other, in both orders: all outcomes that are allowed. */
export async function serialOutcomes(money: Money, first: string, second: string): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const isReversed of [false, true]) {
    const ground = await createFixture(money);
    const results: Record<'first' | 'second', string> = { first: '', second: '' };
    for (const which of isReversed ? (['second', 'first'] as const) : (['first', 'second'] as const)) {
      results[which] = await outcome(money.portal, which === 'first' ? first : second, ground);
    }
    seen.add(`${results.first} | ${results.second} | ${await stateOf(money.portal, ground)}`);
  }
  return seen;
}

/** Runs two moves at the same time, in two processes, and returns their outcome. */
export async function race(money: Money, other: Portal, first: string, second: string): Promise<string> {
  const ground = await createFixture(money);
  const results = await Promise.all([outcome(money.portal, first, ground), outcome(other, second, ground)]);
  return `${results.join(' | ')} | ${await stateOf(money.portal, ground)}`;
}
