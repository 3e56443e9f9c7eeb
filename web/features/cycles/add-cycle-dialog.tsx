import { Button, Skeleton } from '@mantine/core';
import { ArrowLeft, Check, SlidersHorizontal } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { type Activation } from '#contract/activations.ts';
import { type Cycle, addCycle } from '#contract/cycles.ts';
import { type Plan, listPlans } from '#contract/marketplace.ts';
import type { Day } from '#domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { addCycleFailure } from '#web/features/cycles/add-cycle-failure.ts';
import { AddCycleSummary } from '#web/features/cycles/add-cycle-summary.tsx';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import { isStartDayFree } from '#web/features/cycles/start-days.ts';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText } from '#web/ui/day-text.ts';
import { Dialog, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { EmptyState, Loaded } from '#web/ui/states.tsx';

// The calendar is a third of this page's code and is shown to few.
const StartDayChoice = lazy(async () => ({
  default: (await import('#web/features/cycles/start-day-choice.tsx')).StartDayChoice,
}));

interface AddCycleFormProps {
  activation: Activation;
  taken: readonly Cycle[];
  today: Day;
  /** Set by 'Prepay next' (product §4.7). */
  startDay: Day | null;
  onClose: () => void;
}

/** Add Subscription: a plan, then its start date (product §4.8). */
export function AddCycleDialog({ opened, ...props }: { opened: boolean } & AddCycleFormProps) {
  const plans = useCall(listPlans, { params: { productId: props.activation.service.id } }, { enabled: opened });
  const shape = [1, 2, 3, 4].map((row) => <Skeleton key={row} h={60} mt={8} />);
  return (
    <Dialog opened={opened} onClose={props.onClose} title={texts.title} size={736}>
      <Loaded
        of={plans}
        word={texts.loading}
        shape={<div className={classes.body}>{shape}</div>}
        failed={texts.plansFailed}
      >
        {(byCategory) =>
          Object.values(byCategory).every((list) => list.length === 0) ? (
            <EmptyState icon={<SlidersHorizontal size={20} />} title={texts.plansEmpty}>
              {texts.plansEmptyMore}
            </EmptyState>
          ) : (
            <AddCycleForm {...props} plans={byCategory} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function AddCycleForm({ plans, ...props }: AddCycleFormProps & { plans: Record<string, Plan[]> }) {
  const [step, setStep] = useState<'plan' | 'day'>('plan');
  const [planId, setPlanId] = useState<string | null>(null);
  const [startDay, setStartDay] = useState(props.startDay);
  const plan = Object.values(plans)
    .flat()
    .find((each) => each.id === planId);
  const adding = useAction(addCycle, {
    changes: billingCalls,
    onDone: (reply) => {
      const { name = '' } = plan ?? {};
      if (reply.status === 'pending') notifyDone(texts.addedPending(name));
      else notifyDone(texts.addedFree(name, startDay === null ? '' : dayText(startDay)));
      props.onClose();
    },
    onFailed: (failure) => {
      const { title, more } = addCycleFailure(failure);
      notifyFailure(title, more);
    },
  });

  function toDay(): void {
    if (plan === undefined) return notifyFailure(texts.chooseBoth);
    // A longer plan may no longer fit where a shorter one did.
    if (startDay !== null && !isStartDayFree(startDay, plan.maxDays, props.taken)) setStartDay(null);
    setStep('day');
  }

  function complete(): void {
    if (plan === undefined || startDay === null) return notifyFailure(texts.chooseBoth);
    void adding.run({ params: { activationId: props.activation.id, planId: plan.id }, body: { startDate: startDay } });
  }

  return (
    <>
      <Steps step={step} />
      {step === 'plan' || plan === undefined ? (
        <>
          <div className={classes.body}>
            <PlanChoice
              plans={plans}
              value={planId}
              onChange={setPlanId}
              usedPlanIds={new Set(props.activation.billingCycles.map((cycle) => cycle.planId))}
            />
          </div>
          <DialogFoot>
            <Button variant="default" onClick={props.onClose}>
              {texts.cancel}
            </Button>
            <Button onClick={toDay}>{texts.next}</Button>
          </DialogFoot>
        </>
      ) : (
        <>
          <div className={classes.body}>
            <Suspense fallback={<Skeleton h={300} />}>
              <StartDayChoice
                value={startDay}
                onChange={setStartDay}
                maxDays={plan.maxDays}
                taken={props.taken}
                today={props.today}
              />
            </Suspense>
            <AddCycleSummary plan={plan} startDay={startDay} today={props.today} />
          </div>
          <DialogFoot>
            <Button
              className={classes.back}
              variant="subtle"
              color="gray"
              leftSection={<ArrowLeft size={16} aria-hidden />}
              disabled={adding.running}
              onClick={() => setStep('plan')}
            >
              {texts.back}
            </Button>
            <ActionButton running={adding.running} onClick={complete}>
              {adding.running ? texts.completing : texts.complete}
            </ActionButton>
          </DialogFoot>
        </>
      )}
    </>
  );
}

function Steps({ step }: { step: 'plan' | 'day' }) {
  const isDay = step === 'day';
  return (
    <ol className={classes.steps} aria-label={texts.steps}>
      <li className={classes.step} aria-current={isDay ? undefined : 'step'} data-done={isDay || undefined}>
        <b>{isDay ? <Check size={12} strokeWidth={2.5} aria-hidden /> : 1}</b>
        {texts.stepPlan}
      </li>
      <li className={classes.step} aria-current={isDay ? 'step' : undefined}>
        <b>2</b>
        {texts.stepDay}
      </li>
    </ol>
  );
}
