import { Button, Radio, Text } from '@mantine/core';
import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { buyPack, type Cycle } from '#shared/contract/cycles.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import choice from '#web/features/cycles/plan-choice.module.css';
import { rechargeTexts as texts } from '#web/features/cycles/texts.ts';
import { NeedsNetwork } from '#web/features/payments/needs-network.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { endText } from '#web/ui/localized-days.ts';
import { useToday } from '#web/ui/today.ts';
import { Dialog, DialogFoot } from '#web/ui/dialog.tsx';
import { moneyText, priceText } from '#web/ui/money-text.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

interface RechargeProps {
  opened: boolean;
  activation: Activation;
  running: Cycle;
  payment: Payment;
  onClose: () => void;
}

/** Recharge (product §4.23): a pack of units for the running plan, and its payment. */
export function RechargeDialog({ opened, ...props }: RechargeProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={texts.title}>
      <RechargeForm {...props} />
    </Dialog>
  );
}

function RechargeForm({ activation, running, payment, onClose }: Omit<RechargeProps, 'opened'>) {
  const today = useToday();
  const [chosen, setChosen] = useState<string | null>(null);
  const offer = running.packOffers.find(({ id }) => id === chosen) ?? running.packOffers[0];
  const buying = useAction(buyPack, {
    changes: billingCalls,
    onDone: ({ billingCycleId }) => {
      onClose();
      payment.pay({ cycleId: billingCycleId });
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  if (offer === undefined) return null;
  return (
    <>
      <div className={classes.body}>
        <Radio.Group value={offer.id} onChange={setChosen} aria-label={texts.packs}>
          {running.packOffers.map((pack) => (
            <Radio.Card
              key={pack.id}
              value={pack.id}
              className={choice.plan}
              aria-label={`${pack.name}, ${texts.units(formatNumber(pack.units))}, ${priceText(pack.total)}`}
            >
              <Radio.Indicator size="xs" className={choice.dot} />
              <span>
                <span className={choice.name}>{pack.name}</span>
                <span className={`${choice.quotas} caption num`}>{texts.units(formatNumber(pack.units))}</span>
              </span>
              <span className={`${choice.price} num`}>
                {priceText(pack.total)}
                <small>{texts.gst(moneyText(pack.gst))}</small>
              </span>
            </Radio.Card>
          ))}
        </Radio.Group>
        <Text className="caption dim" mt={12}>
          {texts.until(endText(running.toDate, today))}
        </Text>
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
        <NeedsNetwork>
          <ActionButton
            call="buyPack"
            className="num"
            disabled={payment.current !== null}
            running={buying.running}
            onClick={() => void buying.run({ params: { activationId: activation.id, packId: offer.id } })}
          >
            {texts.pay(moneyText(offer.total))}
          </ActionButton>
        </NeedsNetwork>
      </DialogFoot>
    </>
  );
}
