import { Loader } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Cycle } from '#contract/cycles.ts';
import { rupees as rupeesOf, toPaise } from '#domain/money.ts';
import type { OpenCycles } from '#web/features/cycles/open-cycles.ts';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';

/** Asks for the pending payment, or says that one is being confirmed. */
export function PendingBanner(props: { activationId: string; open: OpenCycles; payment: Payment }) {
  const { activationId, open, payment } = props;
  if (open.payable !== undefined) {
    const several = open.payableTogether;
    const rupees = sumOf(several.length > 0 ? several : [open.payable]);
    return (
      <output className={classes.banner}>
        <TriangleAlert size={20} aria-hidden />
        <span className={classes.bannerText}>
          <b>{texts.pendingBanner}</b>
          {several.length > 0 && texts.pendingTogether(several.length)}
        </span>
        <PayButton
          payment={payment}
          cycleId={open.payable.id}
          rupees={rupees}
          {...(several.length > 0 && { together: { activationId, cycleIds: several.map((cycle) => cycle.id) } })}
        />
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

function sumOf(cycles: readonly Cycle[]): number {
  return rupeesOf(cycles.reduce((paise, cycle) => paise + toPaise(cycle.price), 0));
}
