import type { Plan } from '#contract/marketplace.ts';
import { cycleFrom } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { endText, periodText } from '#web/ui/day-text.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText, priceText } from '#web/ui/money-text.ts';

/** The purchase: the days it covers, and its price with taxable value and GST (product §6.1). */
export function AddCycleSummary({ plan, startDay, today }: { plan: Plan; startDay: Day | null; today: Day }) {
  const cycle = startDay === null ? null : cycleFrom(startDay, plan.maxDays);
  const facts = [
    { key: 'plan', label: texts.plan, value: plan.name },
    {
      key: 'covers',
      label: texts.covers,
      value: cycle === null ? texts.chooseDay : periodText(cycle),
      more: cycle === null ? undefined : texts.ends(endText(cycle.toDate, today)),
      className: classes.covers,
    },
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
