import { whenInEffect } from '#shared/database/access.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { checkSoon } from './reconcile.ts';
import { type Settled, finalStateOf, settleInEffect } from './settle.ts';
import { type OrderRow, selectOwnOrder, selectPayment } from './store.ts';
import { storeSignedPayment } from './signed-payment.ts';

/** The checkout's signature over our order id and the payment id. */
export function checkoutSignature(keySecret: string, orderId: string, paymentId: string): string {
  return hmacHex(keySecret, `${orderId}|${paymentId}`);
}

/**
 * Handles what the browser sends after the checkout. The order must be the owner's, the signature valid for the order id that we
 * stored, and the provider must confirm that the payment is for that order; only then is it settled (product §6.3).
 */
export async function verifyPayment(
  portal: Portal,
  owner: Owner,
  report: { paymentId: string; orderId: string; signature: string },
) {
  const order = await selectOwnOrder(owner, portal.db, report.orderId);
  if (!order?.provider_order_id) throw refuse('not_found');
  const expected = checkoutSignature(portal.settings.razorpayKeySecret, order.provider_order_id, report.paymentId);
  if (!sameBytes(expected, report.signature)) throw refuse('payment_not_verified');
  const { settled, effectiveBy } = await settleSigned(portal, order, report.paymentId);
  if (settled === 'unknown' || settled === 'failed') throw refuse('payment_not_verified');
  const status = ({ paid: 'success', refunded: 'refunded', pending: 'pending', held: 'pending' } as const)[settled];
  return { status, billingCycleId: order.cycle_id, effectiveBy };
}

async function settleSigned(
  portal: Portal,
  order: OrderRow,
  paymentId: string,
): Promise<{ settled: Settled; effectiveBy: string | null }> {
  const known = await selectPayment(portal.db, paymentId);
  if (known && known.order_id !== order.id) return nothing('unknown');
  const final = known && finalStateOf(known);
  // The webhook was faster; gateways may not have confirmed its change yet.
  if (final) return { settled: final, effectiveBy: await whenInEffect(portal) };
  try {
    const payment = await portal.razorpay.readPayment(paymentId);
    if (payment.order_id !== order.provider_order_id) return nothing('unknown');
    return await settleInEffect(portal, payment);
  } catch (error) {
    if (error instanceof ProviderRefusal) return nothing('unknown');
    if (!(error instanceof ProviderUnavailable)) throw error;
    // Correctly signed, but the provider does not respond: not confirmed yet; webhook or reconciler will settle it.
    await storeSignedPayment(portal, order, paymentId);
    await checkSoon(portal.db, order.id, portal.machineClock());
    return nothing('pending');
  }
}

const nothing = (settled: Settled) => ({ settled, effectiveBy: null });
