import type { Cycle } from '#shared/contract/cycles.ts';
import { ceilingOf, needsPin } from '#shared/domain/mandate.ts';
import { toPaise } from '#shared/domain/money.ts';

/** The consent that a payment can carry. */
export interface Consent {
  /** The last cycle that is paid for: the next debit follows it. */
  last: Cycle;
  /** The most that one debit would take. */
  ceilingPaise: number;
  pinEachTime: boolean;
}

/** What a consent given with a payment for these cycles would be; undefined when what is paid for can't be renewed. */
export function consentFor(cycles: readonly Cycle[]): Consent | undefined {
  const last = cycles.at(-1);
  if (last === undefined || cycles.some(({ planId }) => planId !== last.planId)) return undefined;
  const paise = toPaise(Math.max(...cycles.map(({ price }) => price)));
  const pinEachTime = needsPin(paise);
  const ceilingPaise = ceilingOf(paise, pinEachTime);
  return ceilingPaise === undefined ? undefined : { last, ceilingPaise, pinEachTime };
}
