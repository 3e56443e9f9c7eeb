import { z } from 'zod';
import type { createOrderOfPeriods } from '#shared/contract/payments.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';

/** Refusals of an order that the business profile causes: they lead to it, with the title of a notification, or none where that page says what is missing. */
export const profileRefusals: Partial<Record<RefusalCode, 'gstinNotAccepted' | null>> = {
  profile_incomplete: null,
  gstin_not_active: 'gstinNotAccepted',
  gstin_unknown: 'gstinNotAccepted',
  sez_not_confirmed: 'gstinNotAccepted',
};

/** Refusals that the page explains once it is read again: its subscription can't be paid any more as it was added. */
export const offerRefusals: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['plan_changed', 'plan_withdrawn']);

/** The other refusals of an order. */
type OrderRefusal = Exclude<
  (typeof createOrderOfPeriods.refusals)[number],
  'profile_incomplete' | 'gstin_not_active' | 'gstin_unknown' | 'sez_not_confirmed'
>;

const orderRefusals: Record<OrderRefusal, 'orderFailed'> = {
  account_blocked: 'orderFailed',
  not_found: 'orderFailed',
  nothing_to_pay: 'orderFailed',
  payment_under_way: 'orderFailed',
  renews_already: 'orderFailed',
  no_plan_running: 'orderFailed',
  plan_stopped: 'orderFailed',
  plan_changed: 'orderFailed',
  plan_withdrawn: 'orderFailed',
  sez_checked_too_often: 'orderFailed',
  payment_provider_unavailable: 'orderFailed',
  no_document_number: 'orderFailed',
  too_many_requests: 'orderFailed',
};

/**
 * Why a payment did not lead to its subscription. `attempt`: the bank declined, with the provider's reason. `refunded`: `reason` is
 * the amount, as text. Otherwise `reason` is the portal's message.
 */
export const paymentFailureSchema = z.object({
  kind: z.enum(['attempt', 'notVerified', 'orderFailed', 'initiateFailed', 'paidTwice', 'refunded', 'billChanged']),
  reason: z.string().optional(),
});
export type PaymentFailure = z.output<typeof paymentFailureSchema>;

/** Why a payment could not start (product §9.4). Undefined when the session ended: the sign-in page reports that. */
export function paymentFailure(error: unknown): PaymentFailure | undefined {
  if (error instanceof Refused) {
    if (error.code === 'unauthorized') return undefined;
    const kind = isOrderRefusal(error.code) ? orderRefusals[error.code] : 'initiateFailed';
    return { kind, reason: error.message };
  }
  if (error instanceof Unreachable) return { kind: 'initiateFailed', reason: error.message };
  return { kind: 'initiateFailed' };
}

/** A failure in words; `plan` names what was to be paid. */
export function failureText({ kind, reason }: PaymentFailure, plan: string): { title: string; more?: string } {
  if (kind === 'attempt') return { title: texts.closed, more: texts.attemptFailed(reason ?? '').trim() };
  if (kind === 'notVerified') return { title: texts.notVerified, more: texts.notVerifiedMore };
  if (kind === 'paidTwice') return { title: texts.paidTwice, more: texts.paidTwiceMore(plan, reason ?? '') };
  if (kind === 'billChanged') return { title: texts.billChanged, more: texts.billChangedMore(reason ?? '') };
  if (kind === 'refunded') return { title: texts.refunded, more: texts.refundedMore(reason ?? '') };
  return { title: texts[kind], ...(reason !== undefined && { more: reason }) };
}

function isOrderRefusal(code: string): code is OrderRefusal {
  return Object.hasOwn(orderRefusals, code);
}
