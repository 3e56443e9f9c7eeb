import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import {
  closedForMs,
  type FollowedPayment,
  followClosed,
  paidElsewhere,
  paymentAction,
  reload,
  tellIfPaid,
  verify,
} from '#web/features/payments/follow-payment.ts';
import { dismissedUntil, type PaidCycle } from '#web/features/payments/failed-elsewhere.ts';
import { offerRefusals, paymentFailure, profileRefusals } from '#web/features/payments/payment-failure.ts';
import {
  cyclesOf,
  type FailedPayment,
  keepDealtWithAt,
  keepFailedPayment,
  keepOpenPayment,
  type Purchase,
  purchaseOfState,
  readDealtWithAt,
  readFailedPayment,
  readOpenPayment,
  stateToPay,
} from '#web/features/payments/purchase.ts';
import { runCheckout } from '#web/features/payments/run-checkout.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import { readSession } from '#web/session/session.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';
import { serverNow } from '#web/ui/server-time.ts';

/** The state of a payment; `open`: the checkout is shown. */
export type PaymentStep = 'opening' | 'open' | 'confirming';

export interface Payment {
  /** Does nothing while a payment is under way, so that a double click never opens two checkouts. */
  pay: (purchase: Purchase) => void;
  current: { purchase: Purchase; step: PaymentStep } | null;
  /** The last payment, when it failed and the customer has not dealt with it. */
  failed: FailedPayment | null;
  /** Failed payments until then are dealt with (epoch milliseconds). */
  dealtWithAt: number;
  /** Its notice is dismissed where the payments of these cycles are shown. */
  dismiss: (cycles: readonly PaidCycle[]) => void;
}

/** Follows a checkout that is closed, or that an earlier page showed, until it is paid. */
async function followOpen(payment: FollowedPayment, forMs?: number): Promise<void> {
  if (await followClosed(payment, forMs)) keepOpenPayment(null);
}

/** Pays for billing cycles: order, checkout, verification, and the data read again (product §6.3). */
export function usePayment(): Payment {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const busy = useRef(false);
  // Aborted when the customer leaves the page and by the next payment, so that no outcome is shown twice.
  const following = useRef(new AbortController());
  const [current, setCurrent] = useState<Payment['current']>(null);
  const [failed, setFailed] = useState(readFailedPayment);
  const [dealtWithAt, setDealtWithAt] = useState(readDealtWithAt);
  useEffect(() => () => following.current.abort(), []);

  function keep(next: FailedPayment | null): void {
    // Trying again carries a consent only where its tick is shown.
    const plain = next && { ...next, purchase: { ...next.purchase, renewal: undefined } };
    keepFailedPayment(plain);
    setFailed(plain);
  }

  function dealWithFailed(until: number): void {
    keep(null);
    tellOutcome(paymentAction, () => {});
    keepDealtWithAt(until);
    setDealtWithAt(until);
  }

  async function through(purchase: Purchase, signal: AbortSignal): Promise<void> {
    const { cycleId, together, renewal } = purchase;
    const { token } = readSession();
    const activationId = (together ?? renewal)?.activationId;
    const order = await (activationId === undefined
      ? call(createOrder, { params: { id: cycleId } })
      : call(createOrderOfPeriods, {
          params: { activationId },
          body: {
            billingCycleIds: [...cyclesOf(purchase)],
            ...(renewal && { renewal: { pinEachTime: renewal.pinEachTime, method: renewal.method } }),
          },
        }));
    // The customer may have signed out by now, and the checkout would show their name.
    if (readSession().token !== token) return;
    const isWithoutRenewal = renewal !== undefined && !('mandate' in order && order.mandate !== null);
    const payment = { ...followed(purchase, signal, moneyText(order.amount)), isWithoutRenewal };
    keepOpenPayment({ purchase, amount: payment.amount, untilMs: serverNow() + closedForMs });
    const closed = new AbortController();
    const overtaken = paidElsewhere(payment, closed.signal);
    const outcome = await runCheckout(order, overtaken, () => setCurrent({ purchase, step: 'open' })).finally(() =>
      closed.abort(),
    );
    if (outcome.kind === 'paid') {
      setCurrent({ purchase, step: 'confirming' });
      await verify(payment, outcome.reply);
      keepOpenPayment(null);
      return;
    }
    if (await tellIfPaid(payment)) {
      keepOpenPayment(null);
      return;
    }
    const lastFailure = outcome.kind === 'closed' ? outcome.lastFailure : undefined;
    if (lastFailure === undefined) notifyFailure(texts.closed, texts.closedMore, paymentAction);
    else payment.onFailure({ kind: 'attempt', reason: lastFailure });
    // Not waited for: the customer may try again while the page still follows the payment.
    void followOpen(payment);
  }

  // The page that showed the checkout was reloaded or left: this one follows it.
  const hasResumed = useRef(false);
  useEffect(() => {
    if (hasResumed.current) return;
    hasResumed.current = true;
    const open = readOpenPayment();
    if (open === null) return;
    const forMs = open.untilMs - serverNow();
    if (forMs > 0) void followOpen(followed(open.purchase, following.current.signal, open.amount), forMs);
  });

  function followed(purchase: Purchase, signal: AbortSignal, amount: string): FollowedPayment {
    const onFailure: FollowedPayment['onFailure'] = (failure) => keep(failure && { purchase, failure });
    return { queryClient, purchase, amount, signal, onFailure };
  }

  async function pay(purchase: Purchase): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    following.current.abort();
    following.current = new AbortController();
    const { signal } = following.current;
    dealWithFailed(serverNow());
    setCurrent({ purchase, step: 'opening' });
    try {
      await through(purchase, signal);
    } catch (error) {
      const title = error instanceof Refused ? profileRefusals[error.code] : undefined;
      if (error instanceof Refused && title !== undefined) {
        if (title !== null) notifyFailure(texts[title], error.message, paymentAction);
        // As the page is by now: a dialog that began the payment has closed.
        const now = window.location;
        const back = encodeURIComponent(now.pathname + now.search);
        await navigate(`/account?return=${back}`, { state: stateToPay(purchase) });
        return;
      }
      // The page says so too once it is read again. No notice stays: the payment can't be tried again.
      if (error instanceof Refused && offerRefusals.has(error.code)) {
        notifyFailure(texts.orderFailed, error.message, paymentAction);
        await reload(queryClient);
        return;
      }
      const isOver = error instanceof Refused && error.code === 'nothing_to_pay';
      if (isOver && (await tellIfPaid(followed(purchase, signal, '')))) return;
      const failure = paymentFailure(error);
      if (failure !== undefined) keep({ purchase, failure });
      await reload(queryClient);
    } finally {
      busy.current = false;
      setCurrent(null);
    }
  }

  // The business profile was in the way and is saved now: the checkout goes on by itself, once.
  useEffect(() => {
    const interrupted = purchaseOfState(state);
    if (interrupted === undefined) return;
    void resume(interrupted);
  });

  async function resume(interrupted: Purchase): Promise<void> {
    await navigate(pathname + search, { replace: true, preventScrollReset: true });
    await pay(interrupted);
  }

  function dismiss(cycles: readonly PaidCycle[]): void {
    dealWithFailed(dismissedUntil(serverNow(), cycles));
  }

  return { pay: (purchase) => void pay(purchase), current, failed, dealtWithAt, dismiss };
}
