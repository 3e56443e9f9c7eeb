import { Button } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import { type Plan, type Product, listPlans } from '#shared/contract/marketplace.ts';
import { cycleFrom } from '#shared/domain/cycle.ts';
import { useCall } from '#web/api/use-call.ts';
import { PlanChoice } from '#web/features/cycles/plan-choice.tsx';
import classes from '#web/features/marketplace/plan-panel.module.css';
import { PlansShape } from '#web/features/marketplace/product-shape.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import type { Activate } from '#web/features/marketplace/use-activate.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { periodText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { EmptyState, Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

interface PlanPanelProps {
  product: Product;
  activate: Activate;
  checking: boolean;
  activation: Activation | undefined;
}

/** The server knows which trials were taken; without an activation this page does not. */
const noneUsed: ReadonlySet<string> = new Set();

/** The plans of a product, one of which is activated with it (product §2.11). */
export function PlanPanel({ product, activate, checking, activation }: PlanPanelProps) {
  // Public pages lead here with a plan.
  const [search] = useSearchParams();
  const [chosen, setChosen] = useState<string | null>(search.get('plan'));
  const grouped = useCall(listPlans, { params: { productId: product.id } });
  const plans = Object.values(grouped.data ?? {}).flat();
  const plan = plans.find(({ id }) => id === chosen) ?? plans[0];

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
      {plan === undefined ? null : (
        <div className={classes.part}>
          <Preview plan={plan} />
          {activation === undefined ? (
            <ActionButton
              size="lg"
              fullWidth
              disabled={checking || activate.running !== null}
              running={activate.running === 'with-plan'}
              onClick={() => activate.withPlan(plan.id)}
            >
              {activate.running === 'with-plan' ? texts.activating : texts.activateService}
            </ActionButton>
          ) : (
            <Button component={Link} to={`/activations/${activation.id}/billing`} variant="default" size="lg" fullWidth>
              {texts.manage}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** The days and the money of a plan, before anything is clicked. */
function Preview({ plan }: { plan: Plan }) {
  const total = { key: 'total', label: texts.total, value: moneyText(plan.total), className: classes.total };
  const days = { key: 'days', label: texts.ifToday, value: periodText(cycleFrom(useToday(), plan.maxDays)) };
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
