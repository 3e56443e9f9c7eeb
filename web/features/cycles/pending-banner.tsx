import { Loader } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type OpenCycles, purchaseOf, rupeesOf } from '#web/features/cycles/open-cycles.ts';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { BankTransfer } from '#web/features/bank-transfers/bank-transfer.tsx';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import { PurchaseOrder } from '#web/features/payments/purchase-order.tsx';
import { consentFor } from '#web/features/renewals/consent.ts';
import { RenewChoice } from '#web/features/renewals/renew-choice.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';

/** Asks for the pending payment, or says that one is being confirmed. */
export function PendingBanner(props: { activationId: string; open: OpenCycles; payment: Payment }) {
  const { activationId, open, payment } = props;
  const [renews, setRenews] = useState(false);
  if (open.payable !== undefined) {
    const several = open.payableTogether;
    const paid = several.length > 0 ? several : [open.payable];
    const ordered = purchaseOf(activationId, paid);
    const consent = consentFor(paid);
    const purchase =
      renews && consent ? { ...ordered, renewal: { activationId, pinEachTime: consent.pinEachTime } } : ordered;
    return (
      <output className={classes.banner}>
        <TriangleAlert size={20} aria-hidden />
        <span className={classes.bannerText}>
          <b>{texts.pendingBanner}</b>
          {several.length > 0 && texts.pendingTogether(several.length)}
          <PurchaseOrder
            activationId={activationId}
            purchase={purchase}
            rupees={rupeesOf(paid)}
            named={paid[0]?.purchaseOrder ?? null}
            payment={payment}
          />
          <BankTransfer activationId={activationId} purchase={purchase} payment={payment} />
          {consent && (
            <RenewChoice activationId={activationId} consent={consent} isChosen={renews} onChange={setRenews} />
          )}
        </span>
        <PayButton payment={payment} purchase={purchase} rupees={rupeesOf(paid)} />
      </output>
    );
  }
  if (open.confirming === undefined) return null;
  return (
    <output className={classes.banner}>
      <Loader color="currentColor" size={18} />
      <span className={classes.bannerText}>
        <b>{texts.confirmingBanner}</b>
        {texts.confirmingBannerMore(open.confirming.planName)}
      </span>
    </output>
  );
}
