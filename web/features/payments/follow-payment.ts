import type { QueryClient } from '@tanstack/react-query';
import type { Cycle } from '#shared/contract/cycles.ts';
import { verifyPayment } from '#shared/contract/payments.ts';
import { awaitsPayment } from '#shared/domain/cycle.ts';
import { dayOf } from '#shared/domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import { callKey } from '#web/api/use-call.ts';
import { checkoutReplySchema } from '#web/features/payments/checkout-options.ts';
import type { PaymentFailure } from '#web/features/payments/payment-failure.ts';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import { readCycle, watchCycle } from '#web/features/payments/watch-cycle.ts';
import { effectText, endText, periodText } from '#web/ui/localized-days.ts';
import { notifyDone } from '#web/ui/notify.tsx';
import { serverNow } from '#web/ui/server-time.ts';

/** What its notifications are about: the latest replaces the one before. */
export const paymentAction = 'pay';

/** A payment on its way to the server's final word. */
export interface FollowedPayment {
  queryClient: QueryClient;
  purchase: Purchase;
  /** What was charged, as text. */
  amount: string;
  /** The customer agreed that the plan renews by itself, and the provider did not take that. */
  isWithoutRenewal?: boolean;
  /** Aborted when the page is left or another payment begins. */
  signal: AbortSignal;
  /** Shows a failure until it is dealt with; null when there is none any more. */
  onFailure: (failure: PaymentFailure | null) => void;
}

/** A confirmation mostly takes seconds; the page follows it for two minutes. */
const confirmForMs = 120_000;
/** The provider also notifies the server of a payment that could not be verified. */
const notVerifiedForMs = 10_000;
/** A QR code can be paid after its checkout was closed, and an opened UPI app can approve; both lapse before this. */
export const closedForMs = 900_000;

/** While the checkout is open, and after it was closed: is the cycle paid elsewhere? */
const elsewhereForMs = 3_600_000;
/** The checkout's own success comes a moment after the server knows of it. */
const ownSuccessWithinMs = 3_000;

/** Reports what the checkout replied, and follows the payment until it is final. */
export async function verify(payment: FollowedPayment, reply: unknown): Promise<void> {
  const { queryClient, signal, onFailure } = payment;
  const { status, effectiveBy } = await verifiedStatus(reply);
  if (status === 'session-ended') return;
  if (status === 'failed') {
    onFailure({ kind: 'notVerified' });
    await follow(payment, notVerifiedForMs);
  }
  if (status === 'success') await tellPaid(payment, (paid) => [paid, effectText(effectiveBy)].join(' ').trim());
  if (status === 'refunded') await tellRefunded(payment);
  if (status === 'pending') {
    notifyDone(texts.beingConfirmed, texts.beingConfirmedMore, paymentAction);
    await reload(queryClient);
    // One that fails now can be paid again, and PaymentNotice says why.
    const isKnown = await follow(payment, confirmForMs, (cycle) => isSettled(cycle) || awaitsPayment(cycle));
    if (!isKnown && !signal.aborted) notifyDone(texts.stillConfirming, texts.stillConfirmingMore, paymentAction);
  }
  await reload(queryClient);
}

async function verifiedStatus(
  reply: unknown,
): Promise<{ status: 'success' | 'pending' | 'refunded' | 'failed' | 'session-ended'; effectiveBy: string | null }> {
  try {
    const paid = checkoutReplySchema.parse(reply);
    const body = {
      paymentId: paid.razorpay_payment_id,
      orderId: paid.razorpay_order_id,
      signature: paid.razorpay_signature,
    };
    return await call(verifyPayment, { body });
  } catch (error) {
    const status = error instanceof Refused && error.code === 'unauthorized' ? 'session-ended' : 'failed';
    return { status, effectiveBy: null };
  }
}

/** The checkout was closed: a UPI payment may still be made. */
export function followClosed(payment: FollowedPayment, forMs = closedForMs): Promise<boolean> {
  return follow(payment, forMs);
}

/** Polls a payment on the server and shows its outcome; false when it is not final in that time. */
async function follow(payment: FollowedPayment, forMs: number, until = isSettled): Promise<boolean> {
  const { queryClient, purchase, signal } = payment;
  // All of them are settled together.
  const cycle = await watchCycle(queryClient, purchase.cycleId, until, { forMs, signal });
  if (cycle && isPaid(cycle)) await tellPaid(payment);
  if (cycle?.status === 'REFUNDED') await tellRefunded(payment);
  return cycle !== undefined;
}

/** What is paid later is PAID from its start, and only its bill says whether it was; that can be paid also once the plan has ended. */
function isPaid({ status, bill }: Cycle): boolean {
  return bill === null && (status === 'PAID' || status === 'EXPIRED' || status === 'DEACTIVATED');
}

function isSettled(cycle: Cycle): boolean {
  return isPaid(cycle) || cycle.status === 'REFUNDED';
}

/** Aborts the returned signal once the cycle is paid although this checkout has not said so. Ends with `closed`. */
export function paidElsewhere({ queryClient, purchase, signal }: FollowedPayment, closed: AbortSignal): AbortSignal {
  const overtaken = new AbortController();
  const watching = { forMs: elsewhereForMs, signal: AbortSignal.any([signal, closed]) };
  void watchCycle(queryClient, purchase.cycleId, isPaid, watching).then((cycle) => {
    if (cycle !== undefined) setTimeout(() => overtaken.abort(), ownSuccessWithinMs);
    return undefined;
  });
  return overtaken.signal;
}

/** Is it paid by now, perhaps in another tab? Then that is said, and nothing has failed. */
export async function tellIfPaid(payment: FollowedPayment): Promise<boolean> {
  const cycle = await readCycle(payment.queryClient, payment.purchase.cycleId);
  if (!cycle || !isPaid(cycle)) return false;
  await tellPaid(payment, texts.ifTwice);
  return true;
}

async function tellRefunded({ queryClient, purchase, amount, onFailure }: FollowedPayment): Promise<void> {
  const cycle = await readCycle(queryClient, purchase.cycleId);
  const kind = cycle?.bill ? 'billChanged' : cycle && isPaid(cycle) ? 'paidTwice' : 'refunded';
  onFailure({ kind, reason: amount });
}

async function tellPaid(
  { queryClient, purchase, isWithoutRenewal, onFailure }: FollowedPayment,
  inWords = (paid: string) => paid,
): Promise<void> {
  const cycleIds = cyclesOf(purchase);
  const last = await readCycle(queryClient, cycleIds.at(-1) ?? '');
  const paid =
    last &&
    (cycleIds.length > 1 ? texts.allPaid(cycleIds.length, endText(last.toDate, dayOf(serverNow()))) : paidText(last));
  onFailure(null);
  const more = [paid && inWords(paid), isWithoutRenewal && texts.notRenewing].filter(Boolean).join(' ');
  notifyDone(texts.received, more, paymentAction);
  await reload(queryClient);
}

/** The data that a payment changes is read again. */
export async function reload(queryClient: QueryClient): Promise<void> {
  await Promise.all(billingCalls.map((each) => queryClient.invalidateQueries({ queryKey: callKey(each) })));
}

function paidText(cycle: Cycle): string | undefined {
  if (cycle.status !== 'PAID') return undefined;
  return cycle.phase === 'running'
    ? texts.active(cycle.planName, periodText(cycle))
    : texts.prepaid(cycle.planName, periodText(cycle));
}
