import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { ArrowLeft, Check, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { type Activation } from '#shared/contract/activations.ts';
import { type Cycle, addCycle } from '#shared/contract/cycles.ts';
import { type Plan, listPlans } from '#shared/contract/marketplace.ts';
import { maxPeriods } from '#shared/domain/payment.ts';
import type { Day } from '#shared/domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { addCycleFailure } from '#web/features/cycles/add-cycle-failure.ts';
import { AddCycleSum, PeriodDates } from '#web/features/cycles/add-cycle-summary.tsx';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import { type Start, StartChoice } from '#web/features/cycles/start-choice.tsx';
import { isStartDayFree } from '#web/features/cycles/start-days.ts';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Dialog, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { EmptyState, Loaded } from '#web/ui/states.tsx';

interface AddCycleFormProps {
  activation: Activation;
  taken: readonly Cycle[];
  today: Day;
  /** The day after the last cycle, or today (product §4.7). */
  nextDay: Day;
  /** Chosen beforehand, by 'Prepay next'; '' when it is not. */
  planId: string;
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
  const [chosenStep, setStep] = useState<'plan' | 'day'>(props.planId === '' ? 'plan' : 'day');
  const [planId, setPlanId] = useState<string | null>(props.planId);
  const [start, setStart] = useState<Start>({ isOther: false, otherDay: null });
  const [chosenPeriods, setPeriods] = useState(1);
  const plan = Object.values(plans)
    .flat()
    .find((each) => each.id === planId);
  const step = plan === undefined ? 'plan' : chosenStep;
  const startDay = start.isOther ? start.otherDay : props.nextDay;
  const periods = plan !== undefined && plan.total > 0 ? chosenPeriods : 1;
  const adding = useAction(addCycle, {
    changes: billingCalls,
    onDone: (reply) => {
      const { name = '' } = plan ?? {};
      if (reply.status === 'pending')
        notifyDone(periods > 1 ? texts.addedPeriods(name, periods) : texts.addedPending(name));
      else notifyDone(texts.addedFree(name, startDay === null ? '' : dayText(startDay)));
      props.onClose();
    },
    onFailed: (failure) => {
      const { title, more } = addCycleFailure(failure);
      notifyFailure(title, more);
    },
  });

  function toDay(): void {
    if (plan === undefined) return notifyFailure(texts.chooseBoth, undefined, addCycle.name);
    keepStartDay(plan.maxDays * periods);
    setStep('day');
  }

  /** A longer span may no longer fit where a shorter one did. */
  function keepStartDay(days: number): void {
    const { otherDay } = start;
    if (otherDay !== null && !isStartDayFree(otherDay, days, props.taken)) setStart({ ...start, otherDay: null });
  }

  function complete(): void {
    if (plan === undefined || startDay === null) return notifyFailure(texts.chooseBoth, undefined, addCycle.name);
    const params = { activationId: props.activation.id, planId: plan.id };
    void adding.run({ params, body: { startDate: startDay, ...(periods > 1 && { periods }) } });
  }

  return (
    <>
      <Steps plan={step === 'day' ? plan : undefined} />
      {plan === undefined || step === 'plan' ? (
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
            {plan.total > 0 && (
              <NativeSelect
                className={classes.periods}
                ref={takeFocus}
                label={texts.periods}
                description={texts.periodsMore}
                value={periods}
                data={Array.from({ length: maxPeriods }, (_, index) => ({
                  value: String(index + 1),
                  label: texts.periodsOf(index + 1),
                }))}
                onChange={(event) => {
                  const count = Number(event.currentTarget.value);
                  setPeriods(count);
                  keepStartDay(plan.maxDays * count);
                }}
              />
            )}
            <StartChoice
              value={start}
              onChange={setStart}
              nextDay={props.nextDay}
              days={plan.maxDays * periods}
              taken={props.taken}
              today={props.today}
            />
            <PeriodDates plan={plan} startDay={startDay} periods={periods} />
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
            <AddCycleSum plan={plan} startDay={startDay} periods={periods} today={props.today} />
            <ActionButton call="addCycle" running={adding.running} onClick={complete}>
              {adding.running ? texts.completing : texts.complete}
            </ActionButton>
          </DialogFoot>
        </>
      )}
    </>
  );
}

/** The step begins here, also where the dialog was opened before its plans were loaded. */
function takeFocus(periods: HTMLSelectElement | null): void {
  periods?.focus();
}

function showSteps(steps: HTMLElement | null): void {
  steps?.scrollIntoView({ block: 'nearest' });
}

/** `plan`: chosen in the first step, so that the second one is shown. */
function Steps({ plan }: { plan: Plan | undefined }) {
  const isDay = plan !== undefined;
  return (
    // A step begins at its top, however far the one before it was scrolled.
    <ol key={String(isDay)} ref={showSteps} className={classes.steps} aria-label={texts.steps}>
      <li className={classes.step} aria-current={isDay ? undefined : 'step'} data-done={isDay || undefined}>
        <b>{isDay ? <Check size={12} strokeWidth={2.5} aria-hidden /> : 1}</b>
        {isDay ? plan.name : texts.stepPlan}
      </li>
      <li className={classes.step} aria-current={isDay ? 'step' : undefined}>
        <b>2</b>
        {texts.stepDay}
      </li>
    </ol>
  );
}
