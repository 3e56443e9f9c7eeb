import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Cycle } from '#contract/cycles.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#contract/payments.ts';
import { dayOf } from '#domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import { callKey } from '#web/api/use-call.ts';
import { checkoutReplySchema } from '#web/features/payments/checkout-options.ts';
import { paymentFailure, profileRefusals } from '#web/features/payments/payment-failure.ts';
import { runCheckout } from '#web/features/payments/run-checkout.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import { readCycle, watchCycle } from '#web/features/payments/watch-cycle.ts';
import { endText, periodText } from '#web/ui/day-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { serverNow } from '#web/ui/server-time.ts';

/** The state of a payment; `open`: the checkout is shown. */
export type PaymentStep = 'opening' | 'open' | 'confirming';

export interface Payment {
  /** Does nothing while a payment is under way, so that a double click never opens two checkouts. */
  pay: (cycleId: string, together?: PayTogether) => void;
  current: { cycleId: string; together: boolean; step: PaymentStep } | null;
}

/** Several cycles of an activation that one payment pays for (product §4.18). */
export interface PayTogether {
  activationId: string;
  cycleIds: string[];
}

/** A confirmation mostly takes seconds; the page follows it for two minutes. */
const confirmForMs = 120_000;
/** After the checkout was closed a UPI payment may still be approved. */
const closedForMs = 10_000;

/** Pays a billing cycle: order, checkout, verification, and the data read again (product §6.3). */
export function usePayment(): Payment {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const busy = useRef(false);
  // Aborted when the customer leaves the page and by the next payment, so that no outcome is shown twice.
  const following = useRef(new AbortController());
  const [current, setCurrent] = useState<Payment['current']>(null);
  useEffect(() => () => following.current.abort(), []);

  async function through(cycleId: string, together: PayTogether | undefined): Promise<void> {
    following.current.abort();
    following.current = new AbortController();
    const { signal } = following.current;
    const order = await (together === undefined
      ? call(createOrder, { params: { id: cycleId } })
      : call(createOrderOfPeriods, {
          params: { activationId: together.activationId },
          body: { billingCycleIds: together.cycleIds },
        }));
    const isTogether = together !== undefined;
    const outcome = await runCheckout(order, () => setCurrent({ cycleId, together: isTogether, step: 'open' }));
    if (outcome.kind === 'paid') {
      setCurrent({ cycleId, together: isTogether, step: 'confirming' });
      await verify(queryClient, together?.cycleIds ?? [cycleId], outcome.reply, signal);
      return;
    }
    const { lastFailure } = outcome;
    notifyFailure(texts.closed, lastFailure === undefined ? texts.closedMore : texts.attemptFailed(lastFailure));
    // Not waited for: the customer may try again while the page still follows the payment.
    void follow(queryClient, together?.cycleIds ?? [cycleId], closedForMs, signal);
  }

  async function pay(cycleId: string, together?: PayTogether): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setCurrent({ cycleId, together: together !== undefined, step: 'opening' });
    try {
      await through(cycleId, together);
    } catch (error) {
      const title = error instanceof Refused ? profileRefusals[error.code] : undefined;
      if (error instanceof Refused && title !== undefined) {
        notifyFailure(texts[title], error.message);
        await navigate(`/account?return=${encodeURIComponent(location.pathname + location.search)}`);
        return;
      }
      const failure = paymentFailure(error);
      if (failure !== undefined) notifyFailure(failure.title, failure.more);
      await reload(queryClient);
    } finally {
      busy.current = false;
      setCurrent(null);
    }
  }

  return { pay: (cycleId, together) => void pay(cycleId, together), current };
}

async function verify(
  queryClient: QueryClient,
  cycleIds: readonly string[],
  reply: unknown,
  signal: AbortSignal,
): Promise<void> {
  const status = await verifiedStatus(reply);
  if (status === 'session-ended') return;
  if (status === 'failed') {
    notifyFailure(texts.notVerified, texts.notVerifiedMore);
    // The provider also notifies the server, so the payment may still succeed.
    await follow(queryClient, cycleIds, closedForMs, signal);
  }
  if (status === 'success') await tellPaid(queryClient, cycleIds);
  if (status === 'refunded') notifyFailure(texts.refunded, texts.refundedMore);
  if (status === 'pending') {
    notifyDone(texts.beingConfirmed, texts.beingConfirmedMore);
    const settled = await follow(queryClient, cycleIds, confirmForMs, signal);
    if (!settled && !signal.aborted) notifyDone(texts.stillConfirming, texts.stillConfirmingMore);
  }
  await reload(queryClient);
}

async function verifiedStatus(
  reply: unknown,
): Promise<'success' | 'pending' | 'refunded' | 'failed' | 'session-ended'> {
  try {
    const paid = checkoutReplySchema.parse(reply);
    const body = {
      paymentId: paid.razorpay_payment_id,
      orderId: paid.razorpay_order_id,
      signature: paid.razorpay_signature,
    };
    return (await call(verifyPayment, { body })).status;
  } catch (error) {
    return error instanceof Refused && error.code === 'unauthorized' ? 'session-ended' : 'failed';
  }
}

/** Polls a payment on the server and shows its outcome; false when it is not final in that time. */
async function follow(
  queryClient: QueryClient,
  cycleIds: readonly string[],
  forMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  // All of them are settled together.
  const cycle = await watchCycle(queryClient, cycleIds[0] ?? '', isSettled, { forMs, signal });
  if (cycle?.status === 'PAID') await tellPaid(queryClient, cycleIds);
  if (cycle?.status === 'REFUNDED') notifyFailure(texts.refunded, texts.refundedMore);
  return cycle !== undefined;
}

function isSettled(status: Cycle['status']): boolean {
  return status === 'PAID' || status === 'REFUNDED';
}

async function tellPaid(queryClient: QueryClient, cycleIds: readonly string[]): Promise<void> {
  const last = await readCycle(queryClient, cycleIds.at(-1) ?? '');
  const count = cycleIds.length;
  notifyDone(
    texts.received,
    last && (count > 1 ? texts.allPaid(count, endText(last.toDate, dayOf(serverNow()))) : paidText(last)),
  );
  await reload(queryClient);
}

async function reload(queryClient: QueryClient): Promise<void> {
  await Promise.all(billingCalls.map((each) => queryClient.invalidateQueries({ queryKey: callKey(each) })));
}

function paidText(cycle: Cycle): string | undefined {
  if (cycle.status !== 'PAID') return undefined;
  return cycle.phase === 'running'
    ? texts.active(cycle.planName, periodText(cycle))
    : texts.prepaid(cycle.planName, periodText(cycle));
}
