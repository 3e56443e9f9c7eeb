import type { createOrder } from '#contract/payments.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { paymentTexts } from '#web/features/payments/texts.ts';

/** Refusals of an order that the business profile causes: they lead to it, with the title of their notification. */
export const profileRefusals: Partial<Record<RefusalCode, 'profileNeeded' | 'gstinNotAccepted'>> = {
  profile_incomplete: 'profileNeeded',
  gstin_not_active: 'gstinNotAccepted',
  gstin_unknown: 'gstinNotAccepted',
};

/** The other refusals of an order. */
type OrderRefusal = Exclude<
  (typeof createOrder.refusals)[number],
  'profile_incomplete' | 'gstin_not_active' | 'gstin_unknown'
>;

const orderRefusals: Record<OrderRefusal, 'orderFailed'> = {
  not_found: 'orderFailed',
  nothing_to_pay: 'orderFailed',
  payment_provider_unavailable: 'orderFailed',
  no_document_number: 'orderFailed',
  too_many_requests: 'orderFailed',
};

/**
 * The message for a payment that could not start (product §9.4). Undefined when the session ended: the sign-in page
 * reports that.
 */
export function paymentFailure(error: unknown): { title: string; more?: string } | undefined {
  if (error instanceof Refused) {
    if (error.code === 'unauthorized') return undefined;
    const title = isOrderRefusal(error.code) ? paymentTexts[orderRefusals[error.code]] : paymentTexts.initiateFailed;
    return { title, more: error.message };
  }
  if (error instanceof Unreachable) return { title: paymentTexts.initiateFailed, more: error.message };
  return { title: paymentTexts.initiateFailed };
}

function isOrderRefusal(code: string): code is OrderRefusal {
  return Object.hasOwn(orderRefusals, code);
}
