import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { type Cycle, type PlanSwitchPreview, previewSwitch, switchPlan } from '#shared/contract/cycles.ts';
import { type Plan, listPlans } from '#shared/contract/marketplace.ts';
import type { Day } from '#shared/domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import { endTexts, switchTexts as texts } from '#web/features/cycles/texts.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { daysText } from '#web/ui/cycle-days.ts';
import { dayText, effectText, endText, periodText } from '#web/ui/localized-days.ts';
import { Dialog, DialogFacts, DialogFoot } from '#web/ui/dialog.tsx';
import { refundFacts } from '#web/ui/refund-text.ts';
import { moneyText, priceText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { Loaded, Loading } from '#web/ui/states.tsx';

interface SwitchPlanProps {
  activation: Activation;
  running: Cycle;
  today: Day;
  payment: Payment;
  onClose: () => void;
}

/** Switch plan (product §4.21): another plan, what ends and what it costs, and its payment. */
export function SwitchPlanDialog({ opened, ...props }: { opened: boolean } & SwitchPlanProps) {
  const plans = useCall(listPlans, { params: { productId: props.activation.service.id } }, { enabled: opened });
  return (
    <Dialog opened={opened} onClose={props.onClose} title={texts.title} size={736}>
      <Loaded of={plans} word={texts.loading} shape={<Skeleton h={320} m={24} />} failed={texts.plansFailed}>
        {(byCategory) => <SwitchPlanForm {...props} plans={byCategory} />}
      </Loaded>
    </Dialog>
  );
}

function SwitchPlanForm({ plans, ...props }: SwitchPlanProps & { plans: Record<string, Plan[]> }) {
  const { activation, payment, onClose } = props;
  const [planId, setPlanId] = useState<string | null>(null);
  const plan = Object.values(plans)
    .flat()
    .find((each) => each.id === planId);
  const params = { activationId: activation.id, planId: planId ?? '' };
  const preview = useCall(previewSwitch, { params }, { enabled: plan !== undefined });
  const switching = useAction(switchPlan, {
    changes: billingCalls,
    onDone: (reply) => {
      if (reply.status === 'success') notifyDone(texts.done(plan?.name ?? ''), effectText(reply.effectiveBy));
      onClose();
      if (reply.status === 'pending' && reply.billingCycleId !== undefined)
        payment.pay({ cycleId: reply.billingCycleId });
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  return (
    <>
      <div className={classes.body}>
        <PlanChoice
          plans={plans}
          value={planId}
          onChange={setPlanId}
          usedPlanIds={new Set(activation.billingCycles.map((cycle) => cycle.planId))}
        />
        {plan !== undefined && preview.isPending && (
          <Loading word={texts.calculating}>
            <Skeleton h={132} mt={16} />
          </Loading>
        )}
        {plan !== undefined && preview.isError && (
          <Alert color="yellow" mt={16} role="alert">
            {preview.error.message}
          </Alert>
        )}
        {plan !== undefined && preview.data !== undefined && <SwitchFacts preview={preview.data} {...props} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.keep(props.running.planName)}
        </Button>
        <ActionButton
          call="switchPlan"
          className="num"
          disabled={preview.data === undefined || payment.current !== null}
          running={switching.running}
          onClick={() => void switching.run({ params })}
        >
          {switching.running ? texts.switching : confirmText(plan, preview.data)}
        </ActionButton>
      </DialogFoot>
    </>
  );
}

/** What a choice costs comes below the plans, which may fill the window. */
function showFacts(facts: HTMLElement | null): void {
  facts?.scrollIntoView({ block: 'nearest' });
}

function SwitchFacts({ preview, today }: { preview: PlanSwitchPreview; today: Day }) {
  const { replaces, unusedDays, unusedAmount, refundAmount, renewal, renewsFrom } = preview;
  const isLost = refundAmount === 0;
  const ends = `${texts.endsToday(dayText(today))} ${texts.insteadOf(endText(replaces.toDate, today))}`;
  return (
    <div ref={showFacts} className={classes.facts} aria-live="polite">
      <DialogFacts
        facts={[
          { key: 'ends', label: texts.ends(replaces.planName), value: ends },
          {
            key: 'unused',
            label: isLost ? texts.unusedLost : texts.unused,
            value:
              unusedAmount > 0 && isLost
                ? texts.worth(daysText(unusedDays), moneyText(unusedAmount))
                : daysText(unusedDays),
          },
          ...refundFacts(preview),
          { key: 'starts', label: texts.starts(preview.planName), value: periodText(preview) },
          ...(preview.total > 0
            ? [
                {
                  key: 'tax',
                  label: texts.taxable,
                  value: texts.withGst(moneyText(preview.taxableValue), moneyText(preview.gst)),
                },
              ]
            : []),
          { key: 'pay', label: texts.toPay, value: <b>{priceText(preview.total)}</b> },
        ]}
      />
      <Text className="caption dim" mt={12}>
        {preview.total > 0 ? texts.whenPaid : texts.atOnce}
        {renewal !== null && ` ${endTexts.renewal[renewal](renewsFrom === null ? '' : dayText(renewsFrom))}`}
      </Text>
    </div>
  );
}

function confirmText(plan: Plan | undefined, preview: PlanSwitchPreview | undefined): string {
  if (plan === undefined) return texts.choose;
  const total = preview?.total ?? plan.total;
  return total > 0 ? texts.paySwitch(moneyText(total)) : texts.switchNow;
}
