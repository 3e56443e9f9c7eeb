import { addDays, type Day, laterDay, startOfDay } from '#shared/domain/day.ts';

/**
 * Renewal by mandate (decision 074): a customer agrees once, with a payment, that the next periods of a plan are debited. The
 * mandate is a token of the payment provider; each debit is an order of its own, and pays for one cycle.
 */

/**
 * ASKED: an order asks for it, and the provider has not confirmed its token. PAUSED: by the customer in the UPI app. LAPSED: it never came into force.
 */
export const mandateStates = ['ASKED', 'IN_FORCE', 'PAUSED', 'ENDED', 'LAPSED'] as const;
export type MandateState = (typeof mandateStates)[number];

export const nextMandateStates: Readonly<Record<MandateState, readonly MandateState[]>> = {
  ASKED: ['IN_FORCE', 'PAUSED', 'ENDED', 'LAPSED'],
  IN_FORCE: ['PAUSED', 'ENDED'],
  PAUSED: ['IN_FORCE', 'ENDED'],
  ENDED: [],
  LAPSED: [],
};

/**
 * Who ended it: the customer here, or in the UPI app (or the bank), or an operator; or it expired, or what it renews was deleted. PLAN: its last plan ended before its last
 * day, and it was for going on. LAPSE: there is no plan any more. DISPUTE: the bank took a debit back, or the payment that gave the consent.
 */
export const mandateEnders = ['CUSTOMER', 'APP', 'OPERATOR', 'EXPIRY', 'DELETION', 'PLAN', 'LAPSE', 'DISPUTE'] as const;
export type MandateEnder = (typeof mandateEnders)[number];

/** By which a mandate is given and debited. */
export const mandateMethods = ['upi', 'card'] as const;
export type MandateMethod = (typeof mandateMethods)[number];

/** Where each debit needs a PIN there is no mandate by card: nobody is there to confirm it. */
export const methodsOf = (pinEachTime: boolean): readonly MandateMethod[] => (pinEachTime ? ['upi'] : mandateMethods);

/** A mandate that may still be debited, now or later; an activation has at most one. */
export const isLiveMandate = (state: MandateState): boolean => nextMandateStates[state].length > 0;

/** Given, and neither ended nor only asked for. */
export const renewsStill = (state: MandateState): boolean => state === 'IN_FORCE' || state === 'PAUSED';

export interface MandateStep {
  state: MandateState;
  endedBy?: MandateEnder;
}

/**
 * What the status of its token at the provider makes of a mandate; undefined: nothing new. What has ended here stays so, whatever the provider
 * still says: it is cancelled there until that is confirmed. A status that is not known changes nothing, and nothing is debited without `confirmed`.
 */
export function mandateAfter(state: MandateState, tokenStatus: string): MandateStep | undefined {
  if (!isLiveMandate(state)) return undefined;
  const reached = stepOf(state, tokenStatus);
  return reached === undefined || reached.state === state ? undefined : reached;
}

function stepOf(state: MandateState, tokenStatus: string): MandateStep | undefined {
  switch (tokenStatus) {
    case 'confirmed':
      return { state: 'IN_FORCE' };
    case 'paused':
      return { state: 'PAUSED' };
    case 'rejected':
      return state === 'ASKED' ? { state: 'LAPSED' } : { state: 'ENDED', endedBy: 'APP' };
    case 'cancellation_initiated':
    case 'cancelled':
      return { state: 'ENDED', endedBy: 'APP' };
    case 'expired':
      return { state: 'ENDED', endedBy: 'EXPIRY' };
    default:
      return undefined;
  }
}

/** Statuses of a token that nothing can be debited from any more. `cancellation_initiated` is not final: the bank may still refuse it. */
export const isTokenOver = (status: string): boolean => ['rejected', 'cancelled', 'expired'].includes(status);

/** Above it, the payer confirms each debit with a PIN (RBI, Digital Payments – E-mandate Framework, 2026). */
export const withoutPinPaise = 15_000_00;
/** Razorpay takes no more for a mandate by UPI. */
export const maxCeilingPaise = 99_999_00;

/**
 * The most that a mandate for a plan of this price (GST included) may debit at once: a quarter more than today, in whole rupees, so that a small
 * change of price or tax needs no new consent. At most what needs no PIN, unless the customer agrees to one. Undefined: there can be no mandate.
 */
export function ceilingOf(pricePaise: number, pinEachTime: boolean): number | undefined {
  const most = pinEachTime ? maxCeilingPaise : withoutPinPaise;
  if (pricePaise <= 0 || pricePaise > most) return undefined;
  return Math.min(most, Math.ceil((pricePaise * 5) / 4 / 100) * 100);
}

/** Whether a plan of this price can be renewed, and then only with a PIN each time. */
export const needsPin = (pricePaise: number): boolean => pricePaise > withoutPinPaise;

/** A mandate ends by itself after five years. */
export const mandateDays = 5 * 365;

/**
 * Days before the end of what is paid: when the customer is told, and from when until when a debit of the next cycle is asked for. The bank answers 25 to 36
 * hours later: the first one in time for a second, and that before the end.
 */
export const announcedBefore = 5;
export const askedBefore = 4;
const lastAskedBefore = 2;
export const announceDay = (end: Day): Day => addDays(end, -announcedBefore);
export const debitDay = (end: Day): Day => addDays(end, -askedBefore);
export const lastDebitDay = (end: Day): Day => addDays(end, -lastAskedBefore);
/** The first day on which a debit that is announced today may be asked for. */
export const nextDebitDay = (end: Day, today: Day): Day => laterDay(debitDay(end), addDays(today, 1));
/** One debit, and one more when it failed. */
export const maxDebits = 2;
/** The bank answers within 36 hours as a rule. A debit that could not be answered before its cycle begins is given up, and its customer can pay. */
export const isDebitTooLate = (firstDay: Day, nowMs: number): boolean => nowMs >= startOfDay(firstDay) - 36 * 3_600_000;
/**
 * So long nobody else can pay for its cycle, since both might be taken; what still comes later is refunded when the customer has paid meanwhile. The database
 * knows the same (`mandates.sql`).
 */
export const debitAnsweredWithinMs = 48 * 3_600_000;

/** A debit that the provider does not take for so long waits for operators. */
export const debitTakenWithinMs = 3 * 3_600_000;

/** ASKED: to be sent, or its response was lost. SENT: the provider has it. DROPPED: it was never sent, as far as the provider knows. */
export const debitStates = ['ASKED', 'SENT', 'PAID', 'FAILED', 'DROPPED'] as const;
export type DebitState = (typeof debitStates)[number];
export const isLiveDebit = (state: DebitState): boolean => state === 'ASKED' || state === 'SENT';

/**
 * The first day on which the next debit of a cycle may be asked for, after some; not on the day on which the last one failed. Undefined: there is
 * none whose answer comes before the cycle begins.
 */
export function askDay({ tries, failedOn }: { tries: number; failedOn: Day | null }, firstDay: Day): Day | undefined {
  if (tries >= maxDebits) return undefined;
  const day = failedOn === null ? debitDay(firstDay) : addDays(failedOn, 1);
  return day <= lastDebitDay(firstDay) ? day : undefined;
}

/** Days after the end of a plan on which it may still be paid and go on; then its mandate ends. */
export const lapsesAfter = 3;

/** What was refused when a debit was to be asked for, after it was announced. It is not asked for any more: the customer is told so, and pays by hand. */
export const debitRefusals = [
  /** What the customer had added, and a debit has failed for, is not on sale as it was added. */
  'changed',
  'gstin_not_active',
  'gstin_unknown',
  'sez_not_confirmed',
  'too_many_unpaid',
  /** Of the provider: no document can be numbered. Also whatever else keeps it from being sold. */
  'not_possible',
  /** The bank or the payment provider could not be asked in time, or another payment was not over. */
  'not_in_time',
] as const;
export type DebitRefusal = (typeof debitRefusals)[number];

/** Who skipped the debit of the next cycle: the customer here, its payer at the bank after the notice, or whoever removed or cancelled the cycle. */
export const skippers = ['CUSTOMER', 'BANK', 'REMOVAL'] as const;
export type SkippedBy = (typeof skippers)[number];

/** What holds every debit of a mandate. */
export interface DebitFacts {
  /** Of the activation, or of the customer's account (an erasure deletes every activation). */
  isDeleted: boolean;
  isBlocked: boolean;
  /** The provider debits nobody for now. */
  isSuspended: boolean;
  /** The bank disputes the payment that gave the consent or a debit, or has taken one of them back. */
  isDisputed: boolean;
}

export interface MandateTerms {
  state: MandateState;
  planId: string;
  ceilingPaise: number;
  expiresOn: Day;
}
