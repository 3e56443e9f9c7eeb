import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '#shared/database/transaction.ts';
import { dropConsent, hasConsent, partiesOf } from '#server/features/mandates/mandates.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { claimOrder, type OrderClaim, selectClaimedOrder } from './order-claims.ts';
import { type OrderRow, selectOrder, updateOrderOpen } from './store.ts';

const waitForOtherMs = 9000;
/** Until then: the provider's two timeouts (4 s each) end before the page gives up (15 s). */
const takeOverMs = 6500;

/** One request calls the provider and the others wait for its result, so that one order is created. */
/** `mayExist`: whoever had this database before it was restored may have created it. */
export async function openAtProvider(portal: Portal, order: OrderRow, mayExist = false): Promise<OrderRow> {
  const claim = await claimOrder(portal.db, order.id);
  return claim
    ? openClaimed(portal, order, mayExist ? { ...claim, triedBefore: true } : claim)
    : waitUntilOpen(portal, order);
}

async function openClaimed(portal: Portal, order: OrderRow, claim: OrderClaim): Promise<OrderRow> {
  try {
    const made = await withOrWithoutConsent(portal, order, claim.triedBefore).finally(() => claim.stop());
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

/** A failure that takes longer was a timeout. */
const quickMs = 2000;

/**
 * What the provider refuses with the consent to renew is paid without it: the account may take no recurring payments. After a failure that says
 * nothing it is tried once more, unless that would keep the customer waiting.
 */
async function withOrWithoutConsent(portal: Portal, order: OrderRow, triedBefore: boolean): Promise<string> {
  if (!(await hasConsent(portal.db, order.id))) return orderAtProvider(portal, order, triedBefore);
  const began = performance.now();
  const isQuick = () => performance.now() < began + quickMs;
  try {
    return await orderAtProvider(portal, order, triedBefore).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable && isQuick()) || isTurnedAway(error)) throw error;
      return orderAtProvider(portal, order, true);
    });
  } catch (error) {
    const isProviders = error instanceof ProviderRefusal || error instanceof ProviderUnavailable;
    if (!isProviders || isTurnedAway(error)) throw error;
    portal.log.error({ err: error, orderId: order.id }, 'the provider takes no consent to renew: it is paid without');
    await dropConsent(portal, order.id);
    return orderAtProvider(portal, order, false);
  }
}

/** With a wrong key, or by a proxy: that says nothing about the consent. */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof ProviderUnavailable && error.status !== undefined && error.status < 500 && error.status !== 429;

/**
 * Looks for an order that an earlier attempt may have created although its response was lost, then creates one. If the response to
 * creating is lost, looks again, unless it has looked already: the customer should not wait for more than two timeouts.
 */
async function orderAtProvider(portal: Portal, order: OrderRow, triedBefore: boolean): Promise<string> {
  const request = {
    amountPaise: order.amount_paise,
    receipt: order.id,
    notes: { activation: order.activation_id, cycle: order.cycle_id },
    ...(await partiesOf(portal, order.id)),
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
