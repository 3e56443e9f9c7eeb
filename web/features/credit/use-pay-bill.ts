import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { call } from '#web/api/client.ts';
import { asFailure } from '#web/api/use-call.ts';

import { billTexts as texts } from '#web/features/credit/texts.ts';
import { checkoutReplySchema } from '#web/features/payments/checkout-options.ts';
import { paymentAction } from '#web/features/payments/follow-payment.ts';
import { reloadBills } from '#web/features/credit/reload-bills.ts';
import { runCheckout } from '#web/features/payments/run-checkout.ts';
import { readSession } from '#web/session/session.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

async function through(cycleId: string): Promise<void> {
  const { token } = readSession();
  const order = await call(createOrder, { params: { id: cycleId } });
  // The customer may have signed out by now, and the checkout would show their name.
  if (readSession().token !== token) return;
  const outcome = await runCheckout(order, new AbortController().signal, () => {});
  if (outcome.kind !== 'paid') {
    if (outcome.kind === 'closed' && outcome.lastFailure !== undefined)
      notifyFailure(texts.payFailed, outcome.lastFailure, paymentAction);
    return;
  }
  const reply = checkoutReplySchema.parse(outcome.reply);
  const body = {
    paymentId: reply.razorpay_payment_id,
    orderId: reply.razorpay_order_id,
    signature: reply.razorpay_signature,
  };
  const { status } = await call(verifyPayment, { body });
  if (status === 'refunded') notifyFailure(texts.payFailed, texts.refunded, paymentAction);
  else
    notifyDone(status === 'success' ? texts.paid(moneyText(order.amount)) : texts.confirming, undefined, paymentAction);
}

/** Pays a bill in the checkout. A plan that is paid later is PAID from the start, so nothing but its bill says whether it was. */
export function usePayBill() {
  const queryClient = useQueryClient();
  const busy = useRef(false);
  const [current, setCurrent] = useState<string | null>(null);

  async function pay(cycleId: string): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setCurrent(cycleId);
    try {
      await through(cycleId);
    } catch (error) {
      notifyFailure(texts.payFailed, asFailure(error).message, paymentAction);
    } finally {
      busy.current = false;
      setCurrent(null);
      await reloadBills(queryClient);
    }
  }

  return { pay: (cycleId: string) => void pay(cycleId), current };
}
