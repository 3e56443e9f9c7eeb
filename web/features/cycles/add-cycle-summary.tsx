import type { Plan } from '#shared/contract/marketplace.ts';
import { cycleFrom, periodsFrom } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import classes from '#web/features/cycles/add-cycle-dialog.module.css';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { endText, periodText } from '#web/ui/localized-days.ts';
import { moneyText, priceText } from '#web/ui/money-text.ts';

interface Purchase {
  plan: Plan;
  startDay: Day | null;
  periods: number;
}

/** The days and the sum of all periods, beside the button that commits to them (product §4.8, §4.15). */
export function AddCycleSum({ plan, startDay, periods, today }: Purchase & { today: Day }) {
  const cycle = startDay === null ? null : cycleFrom(startDay, plan.maxDays * periods);
  const times = (price: number) => rupees(toPaise(price) * periods);
  return (
    <output className={`${classes.sum} num`}>
      <span>
        <b>{cycle === null ? texts.chooseDay : periodText(cycle)}</b>
        {cycle !== null && <small>{texts.ends(endText(cycle.toDate, today))}</small>}
      </span>
      <span>
        {texts.toPay} <b>{priceText(times(plan.total))}</b>
        {plan.total > 0 && (
          <small>{texts.withGst(moneyText(times(plan.taxableValue)), moneyText(times(plan.gst)))}</small>
        )}
      </span>
    </output>
  );
}

/** Several periods, one after the other (product §4.18). */
export function PeriodDates({ plan, startDay, periods }: Purchase) {
  if (periods === 1 || startDay === null) return null;
  return (
    <ol className={classes.periodDates} aria-label={texts.periodDates}>
      {periodsFrom(startDay, plan.maxDays, periods).map((period) => (
        <li key={period.fromDate} className="num">
          <span>{periodText(period)}</span>
          <span>{moneyText(plan.total)}</span>
        </li>
      ))}
    </ol>
  );
}
