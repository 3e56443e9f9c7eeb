import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';

/** Pay later (decision 081): what an operator allows a customer, and the days of a bill. */

export interface CreditTerms {
  /** As much may be due at once; 0: nothing more is sold on terms. */
  limitPaise: number;
  /** From the day of the invoice to the last day for its payment. */
  days: number;
  /** So many days overdue, the plans that are not paid stop. */
  stopAfterDays: number;
}

export const maxTermDays = 90;

/** Unless an operator says otherwise. */
export const firstDays: Omit<CreditTerms, 'limitPaise'> = { days: 30, stopAfterDays: 15 };

/** A buyer must pay a registered micro or small enterprise within 45 days, also where both agreed to more (MSMED Act 2006, s. 15). */
export const msmedDays = 45;

const promisePrefix = 'TRM';

/** Is a payment a customer's promise to pay later? */
export const isPromise = (paymentId: string): boolean => paymentId.startsWith(`${promisePrefix}-`);

/** The days of a bill: the last one for its payment, and the first one on which plans that are not paid are refused. */
export function daysOfBill(billedOn: Day, { days, stopAfterDays }: Omit<CreditTerms, 'limitPaise'>) {
  const dueOn = addDays(billedOn, days);
  return { dueOn, stopsOn: addDays(dueOn, stopAfterDays + 1) };
}

/** No provider takes a payment below a rupee, so a smaller rest of a bill stays on the statement, and stops and hinders nothing. */
export const leastDuePaise = 100;

/** A bill of which something is due. */
export interface OpenBill {
  dueOn: Day;
  stopsOn: Day;
  duePaise: number;
  /** Nobody expects it any more, and it is owed all the same: then nothing is due. */
  writtenOffPaise: number;
}

export type BillState = 'PAID' | 'DUE' | 'OVERDUE' | 'STOPPED' | 'WRITTEN_OFF';

/** Of a bill of which something is owed. */
export type OpenBillState = Exclude<BillState, 'PAID'>;

/** What was sold to be paid later gives no access then, on whatever days. */
export const stopsCalls = (state: OpenBillState): boolean => state === 'STOPPED' || state === 'WRITTEN_OFF';

export function stateOfBill({ dueOn, stopsOn, duePaise, writtenOffPaise }: OpenBill, today: Day): BillState {
  if (writtenOffPaise > 0) return 'WRITTEN_OFF';
  if (duePaise < leastDuePaise) return 'PAID';
  if (today >= stopsOn) return 'STOPPED';
  return today > dueOn ? 'OVERDUE' : 'DUE';
}

/** Why nothing more is sold on terms to a customer: none are agreed, a bill is overdue, one was written off, or the limit would be passed. */
export type WhyNotLater = 'NO_TERMS' | 'OVERDUE' | 'WRITTEN_OFF' | 'LIMIT';

export function whyNotLater(
  terms: CreditTerms | undefined,
  open: readonly OpenBill[],
  pricePaise: number,
  today: Day,
): WhyNotLater | undefined {
  if (!terms || terms.limitPaise === 0) return 'NO_TERMS';
  const states = open.map((bill) => stateOfBill(bill, today));
  if (states.some((state) => state === 'OVERDUE' || state === 'STOPPED')) return 'OVERDUE';
  if (states.includes('WRITTEN_OFF')) return 'WRITTEN_OFF';
  return pricePaise > leftOfLimit(terms, open) ? 'LIMIT' : undefined;
}

/** What can still be sold on terms; nothing where they were reduced below what is owed. What is written off gives nothing of the limit back. */
export const leftOfLimit = ({ limitPaise }: Pick<CreditTerms, 'limitPaise'>, open: readonly OpenBill[]): number =>
  Math.max(0, limitPaise - open.reduce((sum, { duePaise, writtenOffPaise }) => sum + duePaise + writtenOffPaise, 0));

/**
 * What a customer is told of a bill, each once: three days before its last day, on it, the day after it, and when plans stop; and each time that what had
 * paid it went back, so that it is due again.
 */
export type BillNotice = 'soon' | 'today' | 'overdue' | 'stopped' | 'again';

const soonDays = 3;

/** The notice that is due on a day. A portal that was down tells only the last one. */
export function noticeOfBill(bill: OpenBill, today: Day): BillNotice | undefined {
  const state = stateOfBill(bill, today);
  if (state === 'PAID' || state === 'WRITTEN_OFF') return undefined;
  if (state === 'STOPPED') return 'stopped';
  if (state === 'OVERDUE') return 'overdue';
  if (today === bill.dueOn) return 'today';
  return today >= addDays(bill.dueOn, -soonDays) ? 'soon' : undefined;
}

/** Why a bill can't be written off: nothing is due of it, or the plans that are not paid have not stopped yet. */
export type WhyNotWrittenOff = 'NOTHING_DUE' | 'NOT_STOPPED';

/** Whoever still uses what was sold is asked to pay it, and a wrong click costs nothing: only what has stopped is written off. */
export function whyNotWrittenOff(
  { duePaise, stopsOn }: Pick<OpenBill, 'duePaise' | 'stopsOn'>,
  today: Day,
): WhyNotWrittenOff | undefined {
  if (duePaise === 0) return 'NOTHING_DUE';
  return today < stopsOn ? 'NOT_STOPPED' : undefined;
}

/** How long what is due has been overdue, as accountants group it. */
export const ageBands = ['NOT_DUE', 'TO_30', 'TO_60', 'TO_90', 'OVER_90'] as const;
export type AgeBand = (typeof ageBands)[number];

export function ageBandOf(dueOn: Day, on: Day): AgeBand {
  const late = daysBetween(dueOn, on);
  if (late <= 0) return 'NOT_DUE';
  if (late <= 30) return 'TO_30';
  if (late <= 60) return 'TO_60';
  return late <= 90 ? 'TO_90' : 'OVER_90';
}

/** What decides whether captured money pays a bill. */
export interface BillFacts {
  orderPaise: number;
  /** With what was deducted as tax. */
  paidPaise: number;
  isSameCurrency: boolean;
  /** The provider refunded all of it before. */
  isGone: boolean;
  /** Nothing names the customer any more: nobody pays for it. */
  isErased: boolean;
  /** With what was written off of it. */
  owedPaise: number;
}

/** Why captured money goes back instead of paying a bill: a debt is paid once, and as it is now. */
export function whyBillUnpaid(facts: BillFacts): string | undefined {
  if (facts.paidPaise !== facts.orderPaise || !facts.isSameCurrency) return 'The amount differs from the order';
  if (facts.isGone) return 'The payment provider gave it back';
  if (facts.isErased) return 'The account was erased';
  if (facts.owedPaise === 0) return 'The bill was paid already';
  return facts.owedPaise === facts.orderPaise ? undefined : 'What is due changed before it was paid';
}
