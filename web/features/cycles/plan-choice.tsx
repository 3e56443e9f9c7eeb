import { Badge, Radio } from '@mantine/core';
import type { Plan } from '#shared/contract/marketplace.ts';
import classes from '#web/features/cycles/plan-choice.module.css';
import { daysText } from '#web/ui/cycle-days.ts';
import { categoryTitle, offerText, operationLines, quotaText } from '#web/features/cycles/plan-text.ts';
import { addTexts, cycleTexts } from '#web/features/cycles/texts.ts';
import { priceText } from '#web/ui/money-text.ts';

interface PlanChoiceProps {
  /** By category, in the catalogue's order (product §2.17). */
  plans: Record<string, Plan[]>;
  value: string | null;
  onChange: (planId: string) => void;
  /** Trials that have been taken; each can be taken once. */
  usedPlanIds: ReadonlySet<string>;
}

/** Step 1: the plans by category as radio cards. */
export function PlanChoice({ plans, value, onChange, usedPlanIds }: PlanChoiceProps) {
  return (
    <Radio.Group value={value} onChange={onChange} label={addTexts.plans} labelProps={{ className: classes.unseen }}>
      {Object.entries(plans).map(([category, list]) => (
        <div key={category} className={classes.group}>
          <div className={classes.title}>{categoryTitle(list)}</div>
          <div>
            {list.map((plan) => (
              <PlanCard key={plan.id} plan={plan} used={plan.tenure === 'TRIAL' && usedPlanIds.has(plan.id)} />
            ))}
          </div>
        </div>
      ))}
    </Radio.Group>
  );
}

function PlanCard({ plan, used }: { plan: Plan; used: boolean }) {
  return (
    <Radio.Card value={plan.id} className={classes.plan} disabled={used} aria-label={offerText(plan)}>
      <Radio.Indicator size="xs" className={classes.dot} />
      <span>
        <span className={classes.name}>
          {plan.name}
          {plan.badge !== undefined && (
            <Badge component="span" color="brand">
              {plan.badge}
            </Badge>
          )}
        </span>
        <span className={`${classes.quotas} caption num`}>{quotaText(plan, plan.maxDays)}</span>
        {operationLines(plan).map((line) => (
          <span key={line} className={`${classes.quotas} caption num`}>
            {line}
          </span>
        ))}
      </span>
      <span className={`${classes.price} num`}>
        {priceText(plan.total)}
        <small>{used ? addTexts.trialUsed : cycleTexts.forDays(daysText(plan.maxDays))}</small>
      </span>
    </Radio.Card>
  );
}
