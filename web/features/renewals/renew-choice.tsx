import { useId } from 'react';
import { readRenewal } from '#shared/contract/renewals.ts';
import { addDays } from '#shared/domain/day.ts';
import { debitDay, isLiveMandate, mandateDays, type MandateMethod, methodsOf } from '#shared/domain/mandate.ts';
import { rupees } from '#shared/domain/money.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import type { Consent } from '#web/features/renewals/consent.ts';
import classes from '#web/features/renewals/renewals.module.css';
import { consentTexts as texts } from '#web/features/renewals/texts.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

interface RenewChoiceProps {
  activationId: string;
  consent: Consent;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
  method: MandateMethod;
  onMethod: (method: MandateMethod) => void;
}

/** The consent to later debits, given with a payment: plan, ceiling, end and next debit in words (decision 074). Not while one is in force. */
export function RenewChoice({ activationId, consent, isChosen, onChange, method, onMethod }: RenewChoiceProps) {
  const today = useToday();
  const name = useId();
  const renewal = useCall(readRenewal, { params: { activationId } }).data;
  const isGiven = renewal?.mandate != null && isLiveMandate(renewal.mandate.state);
  if (isGiven || !portalConfig().renewals) return null;
  const { last, ceilingPaise, pinEachTime } = consent;
  const methods = methodsOf(pinEachTime);
  return (
    <>
      <label className={classes.consent}>
        <input type="checkbox" checked={isChosen} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>
          {pinEachTime ? texts.renewWithPin : texts.renew}
          {isChosen && (
            <small>
              {texts.terms(last.planName, moneyText(rupees(ceilingPaise)), dayText(addDays(today, mandateDays - 1)))}{' '}
              {texts.next(dayText(debitDay(last.toDate)))}
            </small>
          )}
        </span>
      </label>
      {isChosen && methods.length > 1 && (
        <div role="radiogroup" aria-label={texts.by} className={classes.methods}>
          {methods.map((each) => (
            <label key={each} className={classes.consent}>
              <input type="radio" name={name} checked={method === each} onChange={() => onMethod(each)} />
              <span>{texts.methods[each]}</span>
            </label>
          ))}
        </div>
      )}
    </>
  );
}
