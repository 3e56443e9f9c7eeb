import type { Plan } from '#shared/contract/marketplace.ts';
import { cycleFrom, periodsFrom } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { endText, periodText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText, priceText } from '#web/ui/money-text.ts';

interface AddCycleSummaryProps {
  plan: Plan;
  startDay: Day | null;
  periods: number;
  today: Day;
}

/** What is paid for all periods, beside the button that commits to it. */
export function AddCycleSum({ plan, periods }: Pick<AddCycleSummaryProps, 'plan' | 'periods'>) {
  return (
    <output className={`${classes.sum} num`}>
      {texts.toPay} <b>{priceText(rupees(toPaise(plan.total) * periods))}</b>
    </output>
  );
}

/** The purchase: the days of each period, and the taxable value and GST of all (product §6.1, §4.18). */
export function AddCycleSummary({ plan, startDay, periods, today }: AddCycleSummaryProps) {
  const cycle = startDay === null ? null : cycleFrom(startDay, plan.maxDays * periods);
  const times = (price: number) => rupees(toPaise(price) * periods);
  const facts = [
    { key: 'plan', label: texts.plan, value: periods > 1 ? `${periods} × ${plan.name}` : plan.name },
    {
      key: 'covers',
      label: texts.covers,
      value: cycle === null ? texts.chooseDay : periodText(cycle),
      more: cycle === null ? undefined : texts.ends(endText(cycle.toDate, today)),
      className: classes.covers,
    },
    ...(plan.total > 0
      ? [
          { key: 'taxable', label: texts.taxable, value: moneyText(times(plan.taxableValue)) },
          { key: 'gst', label: texts.gst, value: moneyText(times(plan.gst)) },
        ]
      : []),
  ];
  return (
    <>
      <Facts look="strip" className={classes.summary} facts={facts} isLive />
      {periods > 1 && startDay !== null && (
        <ol className={classes.periodDates} aria-label={texts.periodDates}>
          {periodsFrom(startDay, plan.maxDays, periods).map((period) => (
            <li key={period.fromDate} className="num">
              <span>{periodText(period)}</span>
              <span>{moneyText(plan.total)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
