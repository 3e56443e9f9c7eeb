import { Button } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import { type Plan, type Product, listPlans } from '#shared/contract/marketplace.ts';
import { cycleFrom } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { useCall } from '#web/api/use-call.ts';
import { openCycles } from '#web/features/cycles/open-cycles.ts';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import { offerText } from '#web/features/cycles/plan-text.ts';
import classes from '#web/features/marketplace/plan-panel.module.css';
import { PlansShape } from '#web/features/marketplace/product-shape.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import type { Activate } from '#web/features/marketplace/use-activate.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { periodText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText, priceText } from '#web/ui/money-text.ts';
import { EmptyState, Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { IfMay } from '#web/roles/if-may.tsx';

interface PlanPanelProps {
  product: Product;
  activate: Activate;
  checking: boolean;
  activation: Activation | undefined;
}

/** The plans of a product: one is activated with it (product §2.11), or added to its activation. */
export function PlanPanel({ product, activate, checking, activation }: PlanPanelProps) {
  const today = useToday();
  const cycles = activation?.billingCycles ?? [];
  const { running, prepayFrom } = openCycles(cycles, today);
  // Public pages lead here with a plan.
  const [search] = useSearchParams();
  const [chosen, setChosen] = useState<string | null>(search.get('plan'));
  const grouped = useCall(listPlans, { params: { productId: product.id } });
  const plans = Object.values(grouped.data ?? {}).flat();
  const proposed =
    activation === undefined
      ? plans.find(({ id }) => id === product.activateNow?.planId)
      : (plans.find(({ id, total }) => total > 0 && id === running?.planId) ?? plans.find(({ total }) => total > 0));
  const plan = plans.find(({ id }) => id === chosen) ?? proposed ?? plans[0];

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
              <PlanChoice
                plans={byCategory}
                value={plan.id}
                onChange={setChosen}
                // Without an activation only the server knows which trials were taken.
                usedPlanIds={new Set(cycles.map(({ planId }) => planId))}
              />
            )
          }
        </Loaded>
      </div>
      {plan === undefined ? null : (
        <div className={classes.part}>
          <Preview
            plan={plan}
            daysLabel={activation === undefined ? texts.ifToday : texts.covers}
            startDay={prepayFrom}
          />
          {activation === undefined ? (
            <ActionButton
              call="activateService"
              size="lg"
              fullWidth
              className={classes.activate ?? ''}
              disabled={checking || activate.running !== null}
              running={activate.running === 'with-plan'}
              onClick={() => activate.withPlan(plan.id)}
            >
              {activate.running === 'with-plan' ? (
                texts.activating
              ) : (
                <span>
                  {texts.activateService}
                  <small>{offerText(plan)}</small>
                </span>
              )}
            </ActionButton>
          ) : (
            <AddPlan activationId={activation.id} plan={plan} isPrepaid={running !== undefined} />
          )}
        </div>
      )}
    </div>
  );
}

/** Leads to Add Subscription with the plan chosen (product §4.7, §4.8). */
function AddPlan({ activationId, plan, isPrepaid }: { activationId: string; plan: Plan; isPrepaid: boolean }) {
  const page = `/activations/${activationId}/billing`;
  const price = priceText(plan.total);
  return (
    <div className={classes.add}>
      <IfMay call="addCycle">
        <Button component={Link} to={`${page}?add=${encodeURIComponent(plan.id)}`} size="lg" fullWidth className="num">
          {isPrepaid && plan.total > 0 ? texts.prepay(plan.name, price) : texts.add(plan.name, price)}
        </Button>
      </IfMay>
      <IfMay call="listHistory">
        <Button component={Link} to={page} variant="default" fullWidth>
          {texts.manage}
        </Button>
      </IfMay>
    </div>
  );
}

/** The days and the money of a plan, before anything is clicked. */
function Preview({ plan, daysLabel, startDay }: { plan: Plan; daysLabel: string; startDay: Day }) {
  const total = { key: 'total', label: texts.total, value: moneyText(plan.total), className: classes.total };
  const days = { key: 'days', label: daysLabel, value: periodText(cycleFrom(startDay, plan.maxDays)) };
  const facts =
    plan.total === 0
      ? [days, total]
      : [
          days,
          { key: 'taxable', label: texts.taxableValue, value: moneyText(plan.taxableValue) },
          { key: 'gst', label: texts.gst, value: moneyText(plan.gst) },
          total,
        ];
  return <Facts look="rows" className={classes.preview} facts={facts} />;
}
