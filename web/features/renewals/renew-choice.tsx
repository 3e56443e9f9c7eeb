import type { Cycle } from '#shared/contract/cycles.ts';
import { readRenewal } from '#shared/contract/renewals.ts';
import { addDays } from '#shared/domain/day.ts';
import { ceilingOf, debitDay, isLiveMandate, mandateDays, needsPin } from '#shared/domain/mandate.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/renewals/renewals.module.css';
import { consentTexts as texts } from '#web/features/renewals/texts.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

interface RenewChoiceProps {
  activationId: string;
  /** What the payment pays for. */
  cycles: readonly Cycle[];
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

/** The most that one debit would take; undefined when what is paid for can't be renewed. */
function ceilingFor(cycles: readonly Cycle[]): number | undefined {
  const [first] = cycles;
  if (first === undefined || cycles.some(({ planId }) => planId !== first.planId)) return undefined;
  const paise = toPaise(Math.max(...cycles.map(({ price }) => price)));
  return ceilingOf(paise, needsPin(paise));
}

/** The consent to later debits, given with a payment: plan, ceiling, end and next debit in words (decision 074). Not while one is in force. */
export function RenewChoice({ activationId, cycles, isChosen, onChange }: RenewChoiceProps) {
  const today = useToday();
  const renewal = useCall(readRenewal, { params: { activationId } }).data;
  const ceiling = ceilingFor(cycles);
  const last = cycles.at(-1);
  const isGiven = renewal?.mandate != null && isLiveMandate(renewal.mandate.state);
  if (ceiling === undefined || last === undefined || isGiven) return null;
  const isPin = needsPin(toPaise(last.price));
  return (
    <label className={classes.consent}>
      <input type="checkbox" checked={isChosen} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {isPin ? texts.renewWithPin : texts.renew}
        {isChosen && (
          <small>
            {texts.terms(last.planName, moneyText(rupees(ceiling)), dayText(addDays(today, mandateDays - 1)))}{' '}
            {texts.next(dayText(debitDay(last.toDate)))}
          </small>
        )}
      </span>
    </label>
  );
}
