import { addDays, type Day, dayOf, laterDay, startOfDay } from '#shared/domain/day.ts';
import {
  debitAnsweredWithinMs,
  type DebitFacts,
  debitRefusals,
  isLiveMandate,
  type MandateTerms,
} from '#shared/domain/mandate.ts';
import { type Month, monthOf } from '#shared/domain/month.ts';
import { paceDays, quotaPace } from '#shared/domain/quota-pace.ts';

/**
 * Recharge before units run out (decision 080): with the mandate that renews a plan, a customer agrees that a pack is debited when the units of the plan
 * would end before its days, within a ceiling for each calendar month.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A debit is asked for from 60 to 36 hours before the units end: the bank answers 25 to 36 hours later. */
export const askedBeforeMs = 60 * hourMs;
export const lastAskedBeforeMs = 36 * hourMs;
/** The customer is told so long before it is asked for. */
export const rechargeNoticeMs = dayMs;
export const toldBeforeMs = askedBeforeMs + rechargeNoticeMs;
/** After three days without a debit, what the customer was told is told again first. */
const toldForMs = 3 * dayMs;
/** A debit that the provider has not taken by then is given up: it was asked for by the use of that time. */
export const rechargeSentWithinMs = 3 * hourMs;

/** What is used of a plan's units. Instants are epoch milliseconds. */
export interface UseOfUnits {
  now: number;
  /** Since when the plan gives access, and until when. */
  since: number;
  until: number;
  remaining: number;
  /** Used on the days of the plan, today included. */
  usedOn: ReadonlyMap<Day, number>;
}

/** Used in a day that takes more than twice as much as an ordinary one, and by now as much as is left. */
function burstPace({ now, remaining, usedOn }: UseOfUnits, from: number, used: number): number | undefined {
  const midnight = startOfDay(dayOf(now));
  const today = usedOn.get(dayOf(now)) ?? 0;
  const isBurst = midnight > from && today > (2 * (used - today) * dayMs) / (midnight - from) && today >= remaining;
  return isBurst ? now + Math.ceil((remaining * Math.max(now - midnight, hourMs)) / today) : undefined;
}

/**
 * When the units of a plan end: at the pace of its last seven days, or sooner in a burst. Undefined when they last until a day before the plan ends (nothing is
 * debited for less), and in the first day of a plan, which foretells nothing.
 */
export function unitsEndAt(use: UseOfUnits): number | undefined {
  const { now, since, until, remaining, usedOn } = use;
  const first = laterDay(dayOf(since), addDays(dayOf(now), 1 - paceDays));
  const from = Math.max(since, startOfDay(first));
  if (now - from < dayMs) return undefined;
  if (remaining <= 0) return now < until - dayMs ? now : undefined;
  const used = [...usedOn].reduce((sum, [day, units]) => (day >= first ? sum + units : sum), 0);
  const pace = quotaPace({ remaining, calls: used, since: from, now, renewsAt: until - dayMs });
  const burst = burstPace(use, from, used);
  const steady = pace.ends === 'at' ? pace.at : undefined;
  if (burst === undefined || burst >= until - dayMs) return steady;
  return steady === undefined ? burst : Math.min(steady, burst);
}

/** A debit of a pack that was not given up; `endedAt`: null while it has no result. */
export interface RechargeDebit {
  paise: number;
  askedAt: number;
  endedAt: number | null;
}

/** The months in which a debit may be taken: it counts in each. The database knows the same (`require_within_month`). */
function monthsOf({ askedAt, endedAt }: Omit<RechargeDebit, 'paise'>): { first: Month; last: Month } {
  return { first: monthOf(dayOf(askedAt)), last: monthOf(dayOf(endedAt ?? askedAt + debitAnsweredWithinMs)) };
}

/** What the other debits leave for one, of what the customer agreed to for a month. */
export function leftOfMonth(
  monthlyPaise: number,
  others: readonly RechargeDebit[],
  debit: Omit<RechargeDebit, 'paise'>,
): number {
  const { first, last } = monthsOf(debit);
  const takenIn = (month: Month) =>
    others.reduce((sum, other) => {
      const months = monthsOf(other);
      return months.first <= month && month <= months.last ? sum + other.paise : sum;
    }, 0);
  return monthlyPaise - Math.max(takenIn(first), takenIn(last));
}

/** ANNOUNCED: told, and not asked for yet. SKIPPED and ASKED are for good. */
export const rechargeStates = ['ANNOUNCED', 'WITHHELD', 'SKIPPED', 'ASKED'] as const;
export type RechargeState = (typeof rechargeStates)[number];

/** Why a pack is not debited. */
export const noRecharges = [
  'off',
  'blocked',
  'suspended',
  'disputed',
  'paused',
  'other_plan',
  'withdrawn',
  'dearer',
  'monthly_ceiling',
  'expires',
  'skipped',
  /** The customer asked to pay for a pack by bank transfer, which has not come. */
  'by_transfer',
  /** After the debit was asked for, the customer turned recharges off or changed them, or ordered a pack. */
  'replaced',
  /** The bank was asked, and has said nothing for two days. */
  'no_answer',
  /** The units end before the bank could answer. */
  'too_soon',
  /** The renewal of the plan is to be debited in these days. */
  'renewal_first',
  /** A debit for these units was asked for, and brought none. */
  'asked_before',
  ...debitRefusals,
] as const;
export type NoRecharge = (typeof noRecharges)[number];

export interface RechargeFacts extends DebitFacts {
  mandate:
    | (MandateTerms & {
        /** What the customer agreed to for a month; null: no recharges. */
        monthlyPaise: number | null;
      })
    | undefined;
  /** The plan that gives access today. */
  runningPlanId: string | undefined;
  /** Of the pack, for this buyer; undefined: it is not on sale any more. */
  pricePaise: number | undefined;
  /** Debits of packs that were not given up. */
  debits: readonly RechargeDebit[];
  /** A debit of the mandate may still be answered: the provider takes one at a time. */
  isBusy: boolean;
  /** From when on the debit of the renewal is to be asked for, which goes first; undefined: none is. */
  renewalFrom: number | undefined;
  /** The customer's payment for a pack is under way, or its checkout open. */
  isPaidElsewhere: boolean;
  /** The customer asked for an account number for the pack that waits. */
  isByTransfer: boolean;
  /** `unitsEndAt` */
  endsAt: number | undefined;
  /** What became of this shortage. */
  shortage:
    | {
        state: RechargeState;
        reason: string | null;
        paise: number | null;
        toldAt: number;
        /** By the mandate, of the pack and its units as they are now, since the customer agreed to it. */
        isOfNow: boolean;
        /** Its debit is over and brought no units, of which the customer was not told. */
        isUntold: boolean;
      }
    | undefined;
}

/** When the customer was told of the debit that is due now; what was told of another one, or before they agreed to it, counts for nothing. */
export function toldAtOf({ shortage, pricePaise }: RechargeFacts, now: number): number | undefined {
  if (shortage?.state !== 'ANNOUNCED' || !shortage.isOfNow || shortage.paise !== pricePaise) return undefined;
  return now < shortage.toldAt + toldForMs ? shortage.toldAt : undefined;
}

/** Why nothing is debited, however the units are; undefined when it would be. */
export function whyNotRecharged(facts: RechargeFacts, now: number): NoRecharge | undefined {
  const { mandate, pricePaise } = facts;
  if (facts.isDeleted || !mandate || !isLiveMandate(mandate.state) || mandate.monthlyPaise === null) return 'off';
  if (facts.shortage?.state === 'SKIPPED') return 'skipped';
  if (facts.isBlocked) return 'blocked';
  if (facts.isSuspended) return 'suspended';
  if (facts.isDisputed) return 'disputed';
  if (mandate.state !== 'IN_FORCE') return 'paused';
  if (facts.runningPlanId !== mandate.planId) return 'other_plan';
  if (facts.isByTransfer) return 'by_transfer';
  if (pricePaise === undefined) return 'withdrawn';
  if (pricePaise > mandate.ceilingPaise) return 'dearer';
  // The bank may take it as late as that.
  if (mandate.expiresOn <= dayOf(now + toldBeforeMs)) return 'expires';
  const askedAt = Math.max(now, (toldAtOf(facts, now) ?? now) + rechargeNoticeMs);
  // What was asked for is within the month, and counts in it.
  if (facts.shortage?.state === 'ASKED') return undefined;
  if (leftOfMonth(mandate.monthlyPaise, facts.debits, { askedAt, endedAt: null }) < pricePaise)
    return 'monthly_ceiling';
  return undefined;
}

/** What their customer knows, or is told by another mail. */
const untold: ReadonlySet<NoRecharge> = new Set<NoRecharge>(['off', 'blocked', 'other_plan', 'skipped']);

export type RechargeStep =
  | { do: 'nothing' }
  /** The units will end, and nothing is debited: for a reason that the customer is told. */
  | { do: 'withhold'; reason: NoRecharge }
  | { do: 'announce'; paise: number }
  | { do: 'ask'; paise: number }
  /** Nothing came of what was asked for, and nothing keeps it from being said any more. */
  | { do: 'give up' };

const nothing = { do: 'nothing' } as const;

/**
 * What is to be done now about the units of a plan. Each shortage is asked for once at most; a debit is told a day before, and asked for only while the bank
 * answers before the units end. Otherwise the customer is told at once, and can recharge.
 */
export function rechargeStep(facts: RechargeFacts, now: number): RechargeStep {
  const { endsAt, shortage, pricePaise } = facts;
  const state = shortage?.state;
  if (endsAt === undefined || endsAt > now + toldBeforeMs || state === 'SKIPPED') return nothing;
  const tell = (reason: NoRecharge): RechargeStep =>
    untold.has(reason) || (state === 'WITHHELD' && shortage?.reason === reason) ? nothing : { do: 'withhold', reason };
  const reason = whyNotRecharged(facts, now);
  if (state === 'ASKED')
    return shortage?.isUntold && !(reason !== undefined && untold.has(reason)) ? { do: 'give up' } : nothing;
  if (reason !== undefined) return tell(reason);
  if (pricePaise === undefined) return nothing;
  const left = endsAt - now;
  const toldAt = toldAtOf(facts, now);
  // What was refused is not asked for again for this shortage.
  if (state === 'WITHHELD' && debitRefusals.some((refusal) => refusal === shortage?.reason)) return nothing;
  if (facts.isPaidElsewhere) return nothing;
  const askedAt = Math.max((toldAt ?? now) + rechargeNoticeMs, endsAt - askedBeforeMs, now);
  if (facts.renewalFrom !== undefined && askedAt >= facts.renewalFrom) return tell('renewal_first');
  if (left > askedBeforeMs) return toldAt === undefined ? { do: 'announce', paise: pricePaise } : nothing;
  // The customer knows already that nothing is debited.
  if (state === 'WITHHELD' && shortage?.reason === 'renewal_first') return nothing;
  // Whatever keeps it waiting: when it is over, the bank can't answer in time any more.
  if (left < lastAskedBeforeMs) return tell('too_soon');
  if (facts.isBusy) return nothing;
  if (toldAt === undefined) return tell('too_soon');
  return now < toldAt + rechargeNoticeMs ? nothing : { do: 'ask', paise: pricePaise };
}
