import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { orderByPayLink, type PayLinkBill, readPayLink, verifyByPayLink } from '#shared/contract/pay-links.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import { checkoutReplySchema } from '#web/features/payments/checkout-options.ts';
import { runCheckout } from '#web/features/payments/run-checkout.ts';

type Reply = CallReply<typeof readPayLink>;

/** Why nothing was paid: the checkout ended without, or there was none. */
export type NotPaid =
  | { kind: 'closed' | 'noCheckout' | 'notOrdered' | 'notPayable' }
  | { kind: 'attempt'; reason: string };

/** What was paid from this page. */
export interface PaidHere {
  bill: PayLinkBill;
  email: string;
  paymentId: string;
  is: 'paid' | 'confirming' | 'refunded';
}

type Shown = Reply | 'missing' | 'failed' | undefined;

/** While something may be paid at any moment, here or elsewhere. */
const soonMs = 3_000;
const idleMs = 20_000;
/** The checkout's own success comes a moment after the server knows of it. */
const ownSuccessWithinMs = 3_000;

/** Only the customer can mend these; the rest passes. */
const ofCustomer = new Set(['account_blocked', 'gstin_not_active', 'gstin_unknown', 'sez_not_confirmed']);
const refusedAs = ({ code }: Refused) => (ofCustomer.has(code) ? 'notPayable' : 'notOrdered');

/** A pay link: what it says, read again as long as the page is open, and paying by it. */
export function usePayLink(link: string) {
  const [shown, setShown] = useState<Shown>();
  const [step, setStep] = useState<'idle' | 'opening' | 'open' | 'confirming'>('idle');
  const [notPaid, setNotPaid] = useState<NotPaid | null>(null);
  const [paidHere, setPaidHere] = useState<PaidHere | null>(null);
  const overtaken = useRef(new AbortController());
  /** A payment whose result is not known yet is reported again once it is. */
  const reported = useRef<(() => Promise<void>) | null>(null);

  const read = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      try {
        const reply = await call(readPayLink, { body: { link } }, signal);
        setShown(reply);
        if (reply.state !== 'PAID') return;
        setTimeout(() => overtaken.current.abort(), ownSuccessWithinMs);
        await reported.current?.();
      } catch (error) {
        if (signal?.aborted === true) return;
        // What is on the page stays there while the network is away.
        if (error instanceof Refused && ['not_found', 'invalid_request'].includes(error.code)) setShown('missing');
        else setShown((before) => before ?? 'failed');
      }
    },
    [link],
  );

  // Another link in the same tab, or back: a checkout of this one is over.
  useEffect(() => {
    const checkout = overtaken;
    return () => checkout.current.abort();
  }, []);

  const isSoon =
    step !== 'idle' || notPaid?.kind === 'closed' || (typeof shown === 'object' && shown.state === 'CONFIRMING');
  useEffect(() => {
    const reading = new AbortController();
    const again = () => void read(reading.signal);
    const first = setTimeout(again);
    const timer = setInterval(again, isSoon ? soonMs : idleMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      reading.abort();
    };
  }, [read, isSoon]);

  async function report(bill: PayLinkBill, email: string, reply: unknown): Promise<void> {
    const paid = checkoutReplySchema.parse(reply);
    const body = {
      link,
      paymentId: paid.razorpay_payment_id,
      orderId: paid.razorpay_order_id,
      signature: paid.razorpay_signature,
      email: email === '' ? null : email,
    };
    const about = { bill, email, paymentId: body.paymentId };
    const tell = async (): Promise<void> => {
      const { status } = await call(verifyByPayLink, { body });
      if (status !== 'pending') reported.current = null;
      setPaidHere({
        ...about,
        is: ({ success: 'paid', pending: 'confirming', refunded: 'refunded' } as const)[status],
      });
    };
    reported.current = () => tell().catch(() => undefined);
    setPaidHere({ ...about, is: 'confirming' });
    await reported.current();
  }

  async function pay(bill: PayLinkBill, email: string): Promise<void> {
    setNotPaid(null);
    setStep('opening');
    overtaken.current = new AbortController();
    try {
      const order = await call(orderByPayLink, { body: { link } });
      const customer = { name: '', email, contact: '' };
      const outcome = await runCheckout({ ...order, customer }, overtaken.current.signal, () => setStep('open'));
      if (outcome.kind === 'paid') {
        setStep('confirming');
        await report({ ...bill, amount: order.amount }, email, outcome.reply);
      }
      if (outcome.kind === 'closed')
        setNotPaid(
          outcome.lastFailure === undefined ? { kind: 'closed' } : { kind: 'attempt', reason: outcome.lastFailure },
        );
    } catch (error) {
      setNotPaid({ kind: error instanceof Refused ? refusedAs(error) : 'noCheckout' });
    } finally {
      setStep('idle');
      // It says why, where it can't be paid any more.
      await read();
    }
  }

  return { shown, step, notPaid, paidHere, read, pay };
}
