import type { Deletion } from '#shared/contract/activations.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import { deleteTexts as texts } from '#web/features/usage/texts.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { refundFacts } from '#web/ui/refund-text.ts';

/** What deleting an activation ends, forfeits and refunds, each only if there is some (product §4.3, §4.12). */
export function deletionFacts(deletion: Deletion): { key: string; label: string; value: string }[] {
  const { runningPlan, unusedDays, unusedAmount, upcomingCycles, unpaidCycles, activeKeys, renewal, debitAmount } =
    deletion;
  return [
    { key: 'plan', label: texts.plan, value: runningPlan === null ? texts.noPlan : texts.planEnds(runningPlan) },
    ...(runningPlan !== null && unusedDays > 0
      ? [
          {
            key: 'unused',
            label: texts.unused,
            value:
              unusedAmount > 0
                ? texts.unusedWorth(daysText(unusedDays), moneyText(unusedAmount))
                : daysText(unusedDays),
          },
        ]
      : []),
    ...(upcomingCycles > 0 ? [{ key: 'upcoming', label: texts.upcoming, value: texts.cancelled(upcomingCycles) }] : []),
    ...refundFacts(deletion),
    ...(unpaidCycles > 0 ? [{ key: 'unpaid', label: texts.unpaid, value: texts.unpaidRemoved(unpaidCycles) }] : []),
    ...(renewal === null ? [] : [{ key: 'renewal', label: texts.renewal, value: texts.renewalEnds }]),
    ...(debitAmount === null
      ? []
      : [{ key: 'debit', label: texts.debit, value: texts.debitRefunded(moneyText(debitAmount)) }]),
    { key: 'keys', label: texts.keys, value: activeKeys === 0 ? texts.none : texts.keysRevoked(activeKeys) },
  ];
}
