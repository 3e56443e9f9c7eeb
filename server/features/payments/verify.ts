import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { checkSoon } from './reconcile.ts';
import { type Settled, settledFinally, settleFetched } from './settle.ts';
import { type OrderRow, selectOwnOrder, selectPayment } from './store.ts';
import { noteToldPayment } from './told-payment.ts';

/** The checkout's signature over our own order id and the payment id it names. */
export function checkoutSignature(keySecret: string, orderId: string, paymentId: string): string {
  return hmacHex(keySecret, `${orderId}|${paymentId}`);
}

/**
 * What a browser says after the checkout. The order must be the caller's, the signature right over the order id that we
 * stored, and the provider must say that the payment is for that order; only then is it settled (product §6.3).
 */
export async function verifyPayment(
  portal: Portal,
  caller: Caller,
  told: { paymentId: string; orderId: string; signature: string },
) {
  const order = await selectOwnOrder(caller, portal.db, told.orderId);
  if (!order?.provider_order_id) throw refuse('not_found');
  const expected = checkoutSignature(portal.settings.razorpayKeySecret, order.provider_order_id, told.paymentId);
  if (!sameBytes(expected, told.signature)) throw refuse('payment_not_verified');
  const settled = await settleAsTold(portal, order, told.paymentId);
  if (settled === 'unknown' || settled === 'failed') throw refuse('payment_not_verified');
  const status = ({ paid: 'success', refunded: 'refunded', pending: 'pending' } as const)[settled];
  return { status, billingCycleId: order.cycle_id };
}

async function settleAsTold(portal: Portal, order: OrderRow, paymentId: string): Promise<Settled> {
  const known = await selectPayment(portal.db, paymentId);
  if (known && known.order_id !== order.id) return 'unknown';
  const final = known && settledFinally(known);
  if (final) return final;
  try {
    const payment = await portal.razorpay.readPayment(paymentId);
    if (payment.order_id !== order.provider_order_id) return 'unknown';
    return await settleFetched(portal, payment);
  } catch (error) {
    if (error instanceof ProviderRefusal) return 'unknown';
    if (!(error instanceof ProviderUnavailable)) throw error;
    // Signed, but the provider is silent: the truth is "not confirmed yet"; webhook and reconciler settle it.
    await noteToldPayment(portal, order, paymentId);
    await checkSoon(portal.db, order.id, portal.machineClock());
    return 'pending';
  }
}
