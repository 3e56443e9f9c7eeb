import type { Plan } from '#contract/marketplace.ts';
import { cycleFrom } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { daysText } from '#web/features/cycles/plan-text.ts';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { dayText } from '#web/ui/day-text.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText, priceText } from '#web/ui/money-text.ts';

/** The purchase: the days it covers, and its price with taxable value and GST (product §6.1). */
export function AddCycleSummary({ plan, startDay }: { plan: Plan; startDay: Day | null }) {
  const endDay = startDay === null ? null : cycleFrom(startDay, plan.maxDays).toDate;
  const facts = [
    { key: 'plan', label: texts.plan, value: plan.name },
    { key: 'starts', label: texts.starts, value: startDay === null ? texts.chooseDay : dayText(startDay) },
    { key: 'ends', label: texts.ends, value: endDay === null ? '–' : dayText(endDay) },
    { key: 'length', label: texts.length, value: daysText(plan.maxDays) },
    ...(plan.total > 0
      ? [
          { key: 'taxable', label: texts.taxable, value: moneyText(plan.taxableValue) },
          { key: 'gst', label: texts.gst, value: moneyText(plan.gst) },
        ]
      : []),
    { key: 'total', label: texts.toPay, value: priceText(plan.total), className: classes.total },
  ];
  return <Facts look="strip" className={classes.summary} facts={facts} isLive />;
}
