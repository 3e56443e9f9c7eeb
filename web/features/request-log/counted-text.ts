import type { LoggedRequest } from '#shared/contract/request-log.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { requestTexts as texts } from '#web/features/request-log/texts.ts';

/** Whether a call was counted; with its units, if it used other than one. */
export function countedText({ units }: Pick<LoggedRequest, 'units'>): string {
  if (units === 0) return texts.notCounted;
  return units === 1 ? texts.isCounted : texts.units(formatNumber(units));
}
