import { Loader } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type OpenCycles, paidAtOnce, purchaseOf, rupeesOf } from '#web/features/cycles/open-cycles.ts';
import { useMay } from '#web/roles/use-role.ts';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { PayLaterOffer } from '#web/features/credit/pay-later-offer.tsx';
import { PayLinkOffer } from '#web/features/pay-links/pay-link-offer.tsx';
import { BankTransfer } from '#web/features/bank-transfers/bank-transfer.tsx';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import { PurchaseOrder } from '#web/features/payments/purchase-order.tsx';
import { periodText } from '#web/ui/localized-days.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { IfMay } from '#web/roles/if-may.tsx';

/** Asks for the pending payment, or says that one is being confirmed. `tick`: the consent that goes with it. */
export function PendingBanner(props: { activationId: string; open: OpenCycles; payment: Payment; tick: ReactNode }) {
  const { activationId, open, payment, tick } = props;
  const paid = paidAtOnce(open);
  const [first] = paid;
  const may = useMay();
  const mayPay = may('createOrder');
  if (paid.length > 0 && !mayPay) return null;
  if (paid.length > 0) {
    const purchase = purchaseOf(activationId, paid);
    return (
      <output className={classes.banner}>
        <TriangleAlert size={20} aria-hidden />
        <span className={classes.bannerText}>
          <b>{texts.pendingBanner}</b>
          {first !== undefined && paid.length === 1
            ? `${first.planName}, ${periodText(first)}`
            : texts.pendingTogether(paid.length)}
          <span className={classes.ways}>
            <PurchaseOrder
              activationId={activationId}
              purchase={purchase}
              rupees={rupeesOf(paid)}
              named={first?.purchaseOrder ?? null}
              payment={payment}
            />
            <IfMay call="payLater">
              <PayLaterOffer
                activationId={activationId}
                purchase={purchase}
                rupees={rupeesOf(paid)}
                planName={first?.planName ?? ''}
                disabled={payment.current !== null}
                // A payment that failed before is dealt with.
                onBegun={() => payment.dismiss([])}
              />
            </IfMay>
            <IfMay call="payByTransfer">
              <BankTransfer activationId={activationId} purchase={purchase} payment={payment} />
            </IfMay>
            <IfMay call="makePayLink">
              <PayLinkOffer activationId={activationId} purchase={purchase} />
            </IfMay>
          </span>
          {tick}
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
