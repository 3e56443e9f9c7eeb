import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { bounds } from '#shared/domain/payment.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import {
  type CycleRow,
  isPackLate,
  priceDue,
  requireOnSale,
  updateCyclePrice,
} from '#server/features/cycles/cycles.ts';
import { requireActiveBuyer, requireNumbers } from '#server/features/documents/documents.ts';
import { requireConfirmedSez } from '#server/features/tax-claims/tax-claims.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { claimOrder, type OrderClaim, selectClaimedOrder } from './order-claims.ts';
import { selectCyclesToPay, selectCycleToPay, selectOwnsActivation } from './payable-cycles.ts';
import { checkSoon } from './reconcile.ts';
import {
  closeLiveOrders,
  countOrdersSince,
  countPaidSince,
  findLiveOrders,
  insertOrder,
  nameOnOrder,
  type OrderRow,
  selectOrder,
  updateOrderOpen,
} from './store.ts';

const waitForOtherMs = 9000;
/** Until then: the provider's two timeouts (4 s each) end before the page gives up (15 s). */
const takeOverMs = 6500;

/** Before anything is charged: the GST systems accept the buyer, and confirm what decides the tax. */
async function requireBuyer(portal: Portal, owner: Owner): Promise<void> {
  await requireActiveBuyer(portal, await readProfile(owner, portal.db));
  await requireConfirmedSez(portal, owner);
}

/** Returns the one live order of a cycle, creating it at the provider if necessary. Repeated calls return the same order. */
export async function createOrder(portal: Portal, owner: Owner, id: string) {
  await requireBuyer(portal, owner);
  const ordered = await transaction(portal.db, async (tx) => {
    const cycle = await selectCycleToPay(owner, tx, id);
    if (!cycle) throw refuse((await selectOwnsActivation(owner, tx, id)) ? 'nothing_to_pay' : 'not_found');
    return liveOrder(portal, owner, tx, [cycle]);
  });
  return openOrder(portal, owner, ordered);
}

/**
 * The same for several unpaid cycles of an activation: one order, which pays for all of them or none (product §4.18), and may name a purchase
 * order (product §4.20).
 */
export async function createOrderOfPeriods(
  portal: Portal,
  owner: Owner,
  activationId: string,
  { cycleIds, purchaseOrder }: { cycleIds: readonly string[]; purchaseOrder?: PurchaseOrder | null | undefined },
) {
  await requireBuyer(portal, owner);
  const ordered = await transaction(portal.db, async (tx) => {
    const [first, ...others] = (await selectCyclesToPay(owner, tx, activationId, cycleIds)) ?? [];
    if (!first) throw refuse('not_found');
    const ordered = await liveOrder(portal, owner, tx, [first, ...others]);
    if (purchaseOrder !== undefined) await nameOnOrder(tx, ordered.order.id, purchaseOrder);
    return ordered;
  });
  return { ...(await openOrder(portal, owner, ordered)), billingCycleIds: ordered.cycleIds };
}

interface LiveOrder {
  order: OrderRow;
  planName: string;
  cycleIds: string[];
}

async function openOrder(portal: Portal, owner: Owner, { order, planName }: LiveOrder) {
  const open = order.status === 'CREATING' ? await openAtProvider(portal, order) : order;
  if (!open.provider_order_id) throw refuse('payment_provider_unavailable');
  await checkSoon(portal.db, open.id, portal.machineClock());
  const [user, profile] = await Promise.all([readUser(owner, portal.db), readProfile(owner, portal.db)]);
  return {
    orderId: open.provider_order_id,
    amount: rupees(open.amount_paise),
    currency: 'INR' as const,
    customer: { name: profile?.legalName ?? user.name, email: user.email, contact: profile?.phone ?? '' },
    billingCycleId: open.cycle_id,
    planName,
  };
}

/** Requires the activation's lock. */
async function liveOrder(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  cycles: readonly [CycleRow, ...CycleRow[]],
): Promise<LiveOrder> {
  const [first, ...others] = cycles;
  if (cycles.some((cycle) => cycle.status !== 'PAYMENT_PENDING')) throw refuse('nothing_to_pay');
  // A switch and a pack are paid alone (product §4.21, §4.23).
  const isAlone = cycles.some(({ replaces, adds_to: addsTo }) => replaces !== null || addsTo !== null);
  if (cycles.length > 1 && isAlone) throw refuse('invalid_request');
  if (await isPackLate(portal, owner, tx, first)) throw refuse('no_plan_running');
  await requireOnSale(portal, owner, tx, cycles, dayOf(portal.clock()));
  // The invoice must name the customer's State (Rule 46(f)), so the profile is required before any money moves (product §3.2).
  if (!(await readProfile(owner, tx))) throw refuse('profile_incomplete');
  const priced = async (cycle: CycleRow) => ({ ...cycle, price_paise: await priceDue(portal, owner, tx, cycle) });
  const due = [await priced(first), ...(await Promise.all(others.map(priced)))] as const;
  const cycleIds = cycles.map((cycle) => cycle.id);
  const existing = await findLiveOrders(tx, cycleIds);
  const planName = first.plan.name;
  const same = existing.find(({ order, cycleIds: covered }) => {
    const isSameSet = covered.length === cycleIds.length && covered.every((id) => cycleIds.includes(id));
    return isSameSet && order.amount_paise === due.reduce((sum, cycle) => sum + cycle.price_paise, 0);
  });
  if (same && cycles.every((cycle, index) => cycle.price_paise === due[index]?.price_paise)) {
    return { order: same.order, planName, cycleIds };
  }
  await enforceLimits(portal, tx, first.activation_id);
  await requireNumbers(portal, tx);
  // The buyer, the tax rate or the choice of cycles has changed: the earlier orders must not be paid any more.
  await closeLiveOrders(tx, cycleIds);
  const before = existing.find(({ order }) => order.cycle_id === first.id)?.order;
  for (const [index, { id, price_paise: pricePaise }] of due.entries()) {
    if (cycles[index]?.price_paise !== pricePaise) await updateCyclePrice(owner, tx, id, pricePaise);
  }
  return { order: await insertOrder(owner, tx, due, new Date(portal.clock()), before), planName, cycleIds };
}

/** A limit against programs that create orders in an endless loop. */
async function enforceLimits(portal: Portal, tx: Tx, activationId: string): Promise<void> {
  const since = new Date(portal.clock() - 3_600_000);
  const orders = await countOrdersSince(tx, activationId, since);
  const payments = await countPaidSince(tx, activationId, since);
  if (orders < bounds.ordersPerHour && payments < bounds.paymentsPerHourForOrder) return;
  portal.log.error({ activationId, orders, payments }, 'an activation has reached its hourly limit of orders');
  throw refuse('too_many_requests');
}

/** One request calls the provider and the others wait for its result, so that one order is created. */
async function openAtProvider(portal: Portal, order: OrderRow): Promise<OrderRow> {
  const claim = await claimOrder(portal.db, order.id);
  return claim ? openClaimed(portal, order, claim) : waitUntilOpen(portal, order);
}

async function openClaimed(portal: Portal, order: OrderRow, claim: OrderClaim): Promise<OrderRow> {
  try {
    const made = await orderAtProvider(portal, order, claim.triedBefore).finally(() => claim.stop());
    const open = await transaction(portal.db, (tx) => updateOrderOpen(tx, order.id, made));
    if (open) return open;
    const now = await selectOrder(portal.db, order.id);
    // This program stood still for longer than its claim, and another request has created the order.
    if (now?.status === 'OPEN') return now;
    // The cycle was removed during the call: the order is closed and not returned.
    throw refuse('nothing_to_pay');
  } catch (error) {
    await claim.release();
    if (!(error instanceof ProviderRefusal || error instanceof ProviderUnavailable)) throw error;
    portal.log.error({ err: error, orderId: order.id }, 'the provider created no order');
    throw refuse('payment_provider_unavailable');
  }
}

/**
 * Looks for an order that an earlier attempt may have created although its response was lost, then creates one. If the response to
 * creating is lost, looks again, unless it has looked already: the customer should not wait for more than two timeouts.
 */
async function orderAtProvider(portal: Portal, order: OrderRow, triedBefore: boolean): Promise<string> {
  const request = {
    amountPaise: order.amount_paise,
    receipt: order.id,
    notes: { activation: order.activation_id, cycle: order.cycle_id },
  };
  const earlier = triedBefore ? await portal.razorpay.findOrder(order.id) : undefined;
  try {
    const made = earlier ?? (await portal.razorpay.createOrder(request));
    return matching(made, order);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) || triedBefore) throw error;
    const found = await portal.razorpay.findOrder(order.id);
    if (!found) throw error;
    return matching(found, order);
  }
}

function matching(made: { id: string; amount: number; currency: string }, order: OrderRow): string {
  if (made.amount !== order.amount_paise || made.currency !== order.currency) {
    throw new Error(`the provider created order ${made.id} over ${made.amount} ${made.currency} for ${order.id}`);
  }
  return made.id;
}

/** Creates the order itself when the claim has ended without a result: its holder is gone. A holder that has failed gives it back early. */
async function waitUntilOpen(portal: Portal, order: OrderRow): Promise<OrderRow> {
  const began = performance.now();
  let claimedUntil = 0;
  while (performance.now() < began + waitForOtherMs) {
    await sleep(50);
    const now = await selectClaimedOrder(portal.db, order.id);
    if (now?.status === 'OPEN') return now;
    if (now?.status !== 'CREATING') throw refuse('nothing_to_pay');
    const until = now.claimed_until?.getTime() ?? 0;
    if (until < claimedUntil) break;
    claimedUntil = until;
    const canCreate = now.free && performance.now() < began + takeOverMs;
    const claim = canCreate ? await claimOrder(portal.db, order.id) : undefined;
    if (claim) return openClaimed(portal, order, claim);
  }
  throw refuse('payment_provider_unavailable');
}
