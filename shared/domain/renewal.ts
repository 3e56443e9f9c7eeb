import type { Day } from '#shared/domain/day.ts';
import {
  announceDay,
  askDay,
  type DebitFacts,
  debitRefusals,
  type DebitState,
  isLiveDebit,
  isLiveMandate,
  lastDebitDay,
  type MandateTerms,
  nextDebitDay,
} from '#shared/domain/mandate.ts';

/** Why the next cycle is not renewed by the mandate, however the days are. */
export const noRenewals = [
  'deleted',
  'blocked',
  'suspended',
  'disputed',
  'not_asked',
  'off',
  'paused',
  'not_confirmed',
  'no_plan',
  'other_plan',
  /** A later plan begins after days that would have been debited. */
  'later_plan',
  /** The provider gave days from the announced day on: the period after them is announced in its own time. */
  'given_days',
  'given_up',
  'skipped',
  /** A bank transfer was asked for that would pay for its days, and has not come: both would be taken. */
  'by_transfer',
  'withdrawn',
  'dearer',
  'expires',
  /** The bank was asked, and has said nothing before the plan ended. */
  'no_answer',
  ...debitRefusals,
] as const;
export type NoRenewal = (typeof noRenewals)[number];

const refusedDebits: readonly NoRenewal[] = debitRefusals;

export interface RenewalFacts extends DebitFacts {
  mandate:
    | (MandateTerms & {
        /** The first day of the cycle that the customer skipped. */
        skippedFor: Day | null;
        /** What the customer was told last: the first day of the cycle, the amount, and when; or that it is not debited, and why. */
        announced: { for: Day; paise: number; on: Day } | null;
        withheld: { for: Day; reason: NoRenewal } | null;
      })
    | undefined;
  /** The next cycle begins on `toDate`, when nothing gives access any more. `planId`: sold last; what the provider gave is not renewed. */
  last: { planId: string; toDate: Day } | undefined;
  /** The price of the next cycle for this buyer; undefined: the plan is not on sale any more. */
  pricePaise: number | undefined;
  /** Of the next cycle, oldest first. */
  debits: readonly DebitState[];
  /** When the last of them failed. */
  failedOn: Day | null;
  /** A debit that was announced for an earlier day may be paid, and pays for the next cycle: the provider has given days since. */
  isDebitMoved: boolean;
  /** A cycle that was debited for these days was removed, or its money given back. */
  isGivenUp: boolean;
  /** Another payment for the next cycle is under way, or its checkout is open. */
  isPaidElsewhere: boolean;
  /** A debit of a pack has no result: the provider takes one of a mandate at a time. */
  isPackAtBank: boolean;
  /** A debit that is asked for now could not be answered before the next cycle begins. */
  isTooLate: boolean;
  /** An account number was asked for an open order that covers its days. */
  isByTransfer: boolean;
}

/** Why the next cycle won't be renewed, for the customer to read; undefined when it will be. */
export function whyNotRenewed({ mandate, last, pricePaise, ...facts }: RenewalFacts): NoRenewal | undefined {
  if (facts.isDeleted) return 'deleted';
  if (mandate === undefined) return 'not_asked';
  if (!isLiveMandate(mandate.state)) return 'off';
  // What the customer has decided is no news.
  if (facts.isGivenUp) return 'given_up';
  if (last !== undefined && mandate.skippedFor === last.toDate) return 'skipped';
  if (facts.isBlocked) return 'blocked';
  if (facts.isSuspended) return 'suspended';
  if (facts.isDisputed) return 'disputed';
  if (mandate.state === 'PAUSED') return 'paused';
  if (mandate.state === 'ASKED') return 'not_confirmed';
  if (last === undefined) return 'no_plan';
  if (last.planId !== mandate.planId) return 'other_plan';
  if (facts.isByTransfer) return 'by_transfer';
  if (pricePaise === undefined) return 'withdrawn';
  if (pricePaise > mandate.ceilingPaise) return 'dearer';
  // The debit may come as late as the first day of the cycle.
  if (mandate.expiresOn <= last.toDate) return 'expires';
  const { withheld } = mandate;
  return withheld?.for === last.toDate && refusedDebits.includes(withheld.reason) ? withheld.reason : undefined;
}

export type RenewalStep =
  | { do: 'nothing' }
  /** The plan will end, for a reason that the customer is told. */
  | { do: 'withhold'; reason: NoRenewal; for: Day }
  | { do: 'announce'; for: Day; paise: number }
  | { do: 'ask'; for: Day; paise: number; attempt: number };

const nothing = { do: 'nothing' } as const;

/**
 * What is to be done today for the renewal of an activation. A debit is asked for from four to two days before the end of what is paid, when
 * the customer was told its amount at least a day before, nothing else pays for the cycle, and no debit of it waits for its result.
 */
export function renewalStep(facts: RenewalFacts, today: Day): RenewalStep {
  const { mandate, last, pricePaise, debits } = facts;
  if (mandate === undefined || last === undefined || today < announceDay(last.toDate) || today >= last.toDate)
    return nothing;
  if (facts.isDebitMoved || debits.some((state) => isLiveDebit(state) || state === 'PAID')) return nothing;
  const next = last.toDate;
  const reason = whyNotRenewed(facts);
  if (reason !== undefined) {
    const { withheld } = mandate;
    return withheld?.for === next && withheld.reason === reason ? nothing : { do: 'withhold', reason, for: next };
  }
  const from = askDay({ tries: debits.length, failedOn: facts.failedOn }, next);
  // The customer was told of one that failed, and not of one that was never sent.
  if (from === undefined)
    return debits.at(-1) === 'DROPPED' ? { do: 'withhold', reason: 'not_in_time', for: next } : nothing;
  if (pricePaise === undefined || facts.isPaidElsewhere) return nothing;
  const { announced } = mandate;
  // Another amount is told anew, at least a day before.
  if (announced === null || announced.for !== next || announced.paise !== pricePaise) {
    if (nextDebitDay(next, today) > lastDebitDay(next)) return { do: 'withhold', reason: 'not_in_time', for: next };
    return { do: 'announce', for: next, paise: pricePaise };
  }
  // A pack waits no longer for its result than the plan can wait for its own.
  if (today > lastDebitDay(next) || (facts.isPackAtBank && facts.isTooLate))
    return { do: 'withhold', reason: 'not_in_time', for: next };
  if (today < from || today <= announced.on || facts.isPackAtBank) return nothing;
  return { do: 'ask', for: next, paise: pricePaise, attempt: debits.length + 1 };
}
