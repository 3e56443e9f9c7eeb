import type { OperationEntry } from '#web/features/reference/operations.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';

/** What a call of an operation costs; undefined if that is one unit for every response that counts. */
export function unitsText({ units, unitStatuses }: Pick<OperationEntry, 'units' | 'unitStatuses'>): string | undefined {
  if (units === undefined || (units === 1 && unitStatuses === undefined)) return undefined;
  if (units === 0) return texts.freeCall;
  return unitStatuses === undefined
    ? texts.units(units)
    : texts.unitsOfStatuses(texts.units(units), unitStatuses.join(', '));
}
