import type { Plan } from '#contract/marketplace.ts';
import { cycleFrom } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { daysText } from '#web/features/cycles/plan-text.ts';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { dayText } from '#web/ui/day-text.ts';
import { moneyText, priceText } from '#web/ui/money-text.ts';

/** What would be bought: the days it covers, and what it costs with its taxable value and GST (product §6.1). */
export function AddCycleSummary({ plan, startDay }: { plan: Plan; startDay: Day | null }) {
  const endDay = startDay === null ? null : cycleFrom(startDay, plan.maxDays).toDate;
  const facts = [
    { label: texts.plan, value: plan.name },
    { label: texts.starts, value: startDay === null ? texts.chooseDay : dayText(startDay) },
    { label: texts.ends, value: endDay === null ? '–' : dayText(endDay) },
    { label: texts.length, value: daysText(plan.maxDays) },
    ...(plan.total > 0
      ? [
          { label: texts.taxable, value: moneyText(plan.taxableValue) },
          { label: texts.gst, value: moneyText(plan.gst) },
        ]
      : []),
  ];
  return (
    <dl className={classes.summary} aria-live="polite">
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
      <div className={classes.total}>
        <dt>{texts.toPay}</dt>
        <dd>{priceText(plan.total)}</dd>
      </div>
    </dl>
  );
}
