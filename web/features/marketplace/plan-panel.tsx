import { Button, Loader } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Activation } from '#contract/activations.ts';
import { type Plan, type Product, activateProduct, activateService, listPlans } from '#contract/marketplace.ts';
import { cycleFrom } from '#domain/cycle.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/marketplace/plan-panel.module.css';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import { PlansShape } from '#web/features/marketplace/product-shape.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { activationChanges } from '#web/features/marketplace/use-activation-of.ts';
import { shortRangeText } from '#web/ui/day-text.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { EmptyState, Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

interface PlanPanelProps {
  product: Product;
  checking: boolean;
  activation: Activation | undefined;
}

/** The server knows which trials were taken; without an activation this page does not. */
const noneUsed: ReadonlySet<string> = new Set();

const onFailed = (failure: CallFailure) => notifyFailure(texts.activationFailed(failure.message));

/** The plans of a product and the two ways to activate it: with a chosen plan, or at once (D1, D2). */
export function PlanPanel({ product, checking, activation }: PlanPanelProps) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const grouped = useCall(listPlans, { params: { productId: product.id } });
  const plans = Object.values(grouped.data ?? {}).flat();
  const plan = plans.find(({ id }) => id === chosen) ?? plans[0];

  const after = (path: string) => () => {
    notifyDone(texts.activated(product.name));
    void navigate(path);
  };
  const now = useAction(activateProduct, { changes: activationChanges, onDone: after('/marketplace'), onFailed });
  const withPlan = useAction(activateService, { changes: activationChanges, onDone: after('/dashboard'), onFailed });

  const running = now.running || withPlan.running;
  const activated = activation !== undefined && !running;
  return (
    <div className={classes.panel}>
      <h2 className={classes.title}>{texts.plans}</h2>
      <div className={classes.plans}>
        <Loaded of={grouped} word={texts.plansLoading} shape={<PlansShape />} failed={texts.plansFailed}>
          {(byCategory) =>
            plan === undefined ? (
              <EmptyState icon={<SlidersHorizontal size={20} />} title={texts.noPlans}>
                {texts.noPlansMore}
              </EmptyState>
            ) : (
              <PlanChoice plans={byCategory} value={plan.id} onChange={setChosen} usedPlanIds={noneUsed} />
            )
          }
        </Loaded>
      </div>
      <div className={classes.part}>
        {plan === undefined ? null : <Preview plan={plan} />}
        {activated ? (
          <Button size="lg" fullWidth disabled>
            {texts.alreadyActivated}
          </Button>
        ) : null}
        {activated || plan === undefined ? null : (
          <Button
            size="lg"
            fullWidth
            disabled={checking || running}
            leftSection={withPlan.running ? <Loader color="currentColor" /> : undefined}
            onClick={() => void withPlan.run({ body: { serviceId: product.id, planId: plan.id } })}
          >
            {withPlan.running ? texts.activating : texts.activateService}
          </Button>
        )}
      </div>
      {activated ? null : (
        <div className={classes.part}>
          <p>{nowText(product)}</p>
          <Button
            variant="default"
            fullWidth
            disabled={checking || running}
            leftSection={now.running ? <Loader color="currentColor" /> : undefined}
            onClick={() => void now.run({ params: { id: product.id } })}
          >
            {checking ? texts.checking : now.running ? texts.activating : texts.activateNow}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The days and the money of a plan, before anything is clicked. */
function Preview({ plan }: { plan: Plan }) {
  const today = useToday();
  const { fromDate, toDate } = cycleFrom(today, plan.maxDays);
  return (
    <dl className={classes.preview}>
      <dt>{texts.ifToday}</dt>
      <dd>{shortRangeText(fromDate, toDate)}</dd>
      {plan.total === 0 ? (
        <>
          <dt>{texts.total}</dt>
          <dd>{texts.nothingToPay}</dd>
        </>
      ) : (
        <>
          <dt>{texts.taxableValue}</dt>
          <dd>{moneyText(plan.taxableValue)}</dd>
          <dt>{texts.gst}</dt>
          <dd>{moneyText(plan.gst)}</dd>
          <dt>{texts.total}</dt>
          <dd className={classes.total}>{moneyText(plan.total)}</dd>
        </>
      )}
    </dl>
  );
}

/** 'Activate Now' begins the free plan when there is one (D2). */
function nowText({ plans }: Product): string {
  const free =
    plans.find(({ total, tenure }) => total === 0 && tenure !== 'TRIAL') ?? plans.find(({ total }) => total === 0);
  return free === undefined ? texts.activateNowBare : texts.activateNowFree(free.name);
}
