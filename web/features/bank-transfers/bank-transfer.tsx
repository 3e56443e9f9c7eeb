import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { portalConfig } from '#web/api/config.ts';
import { useAction } from '#web/api/use-call.ts';
import { followClosed, paymentAction } from '#web/features/payments/follow-payment.ts';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import classes from '#web/features/payments/purchase-order.module.css';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import { useIsBusiness } from '#web/features/payments/use-is-business.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

const BankTransferDetails = lazyComponent(
  async () => (await import('#web/features/bank-transfers/bank-transfer-details.tsx')).BankTransferDetails,
);

/** The way to pay by bank transfer (decision 075), for businesses where the provider offers it. */
export function BankTransfer(props: { activationId: string; purchase: Purchase; payment: Payment }) {
  const isBusiness = useIsBusiness();
  return isBusiness && portalConfig().bankTransfers ? <Offer {...props} /> : null;
}

function Offer({ activationId, purchase, payment }: Parameters<typeof BankTransfer>[0]) {
  const [asked, setAsked] = useState<CallReply<typeof payByTransfer> | null>(null);
  const queryClient = useQueryClient();
  // The page shows a transfer that arrives soon; a later one shows when it is opened again.
  const following = useRef(new AbortController());
  useEffect(() => () => following.current.abort(), []);
  const asking = useAction(payByTransfer, {
    subject: paymentAction,
    onDone: (reply) => {
      setAsked(reply);
      following.current.abort();
      following.current = new AbortController();
      const { signal } = following.current;
      const amount = moneyText(reply.amount);
      void followClosed({ queryClient, purchase, amount, isWithoutRenewal: false, signal, onFailure: () => {} });
    },
    onFailed: (failure) => notifyFailure(texts.orderFailed, failure.message),
  });
  const close = () => setAsked(null);
  return (
    <span className={classes.line}>
      <button
        type="button"
        className={classes.change}
        disabled={payment.current !== null}
        aria-disabled={asking.running}
        onClick={() =>
          void asking.run({ params: { activationId }, body: { billingCycleIds: [...cyclesOf(purchase)] } })
        }
      >
        {texts.byTransfer}
      </button>
      <Dialog opened={asked !== null} onClose={close} title={texts.byTransfer}>
        <Suspense>{asked !== null && <BankTransferDetails asked={asked} onClose={close} />}</Suspense>
      </Dialog>
    </span>
  );
}
