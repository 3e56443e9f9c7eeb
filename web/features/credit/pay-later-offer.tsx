import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { payLater, readCredit } from '#shared/contract/credit.ts';
import { addDays } from '#shared/domain/day.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import { asFailure, useCall } from '#web/api/use-call.ts';
import { payLaterTexts as texts } from '#web/features/credit/texts.ts';
import { paymentAction, reload } from '#web/features/payments/follow-payment.ts';
import classes from '#web/features/payments/purchase-order.module.css';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { dayText, effectText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { useToday } from '#web/ui/today.ts';

interface OfferProps {
  activationId: string;
  purchase: Purchase;
  rupees: number;
  planName: string;
  disabled: boolean;
  onBegun: () => void;
}

/** The way to pay later (decision 081), for whom the provider allows it and as long as the limit has room. */
export function PayLaterOffer({ activationId, purchase, rupees, planName, disabled, onBegun }: OfferProps) {
  const { data: credit } = useCall(readCredit, {});
  const [opened, setOpened] = useState(false);
  const [running, setRunning] = useState(false);
  const queryClient = useQueryClient();
  const today = useToday();
  const terms = credit?.terms;
  if (!terms || terms.why !== null || terms.left < rupees) return null;
  const due = dayText(addDays(today, terms.days));
  const close = () => setOpened(false);
  const begin = async (): Promise<void> => {
    setRunning(true);
    try {
      let effectiveBy: string | null = null;
      for (const billingCycleId of cyclesOf(purchase))
        ({ effectiveBy } = await call(payLater, { params: { activationId }, body: { billingCycleId } }));
      notifyDone(texts.done(planName), effectText(effectiveBy), paymentAction);
      onBegun();
    } catch (error) {
      const failure = asFailure(error);
      if (failure instanceof Refused && failure.code === 'nothing_to_pay')
        notifyFailure(texts.notAgain, texts.notAgainMore, paymentAction);
      else notifyFailure(texts.failed, failure.message, paymentAction);
    } finally {
      await reload(queryClient);
      setRunning(false);
      close();
    }
  };
  return (
    <span className={classes.line}>
      <button type="button" className={classes.change} disabled={disabled} onClick={() => setOpened(true)}>
        {texts.offer(due)}
      </button>
      <Dialog opened={opened} onClose={close} title={texts.title}>
        <DialogContent>
          <p>{texts.lead(moneyText(rupees), due)}</p>
          <p className="soft">{texts.stops(terms.stopAfterDays)}</p>
          <p className="caption dim">{texts.left(moneyText(terms.left))}</p>
        </DialogContent>
        <DialogFoot>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <ActionButton call="payLater" running={running} onClick={() => void begin()}>
            {texts.confirm}
          </ActionButton>
        </DialogFoot>
      </Dialog>
    </span>
  );
}
