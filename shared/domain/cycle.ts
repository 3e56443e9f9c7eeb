import { type Day, addDays, daysBetween, laterDay } from '#shared/domain/day.ts';
import { share } from '#shared/domain/money.ts';
import type { OpenBillState } from '#shared/domain/pay-later.ts';

/**
 * A billing cycle covers the IST days [fromDate, toDate). Whether a paid cycle is upcoming, running or over depends on
 * its dates and today and is never stored (product §4.1), so cycles activate by date alone.
 */
export interface CycleDates {
  fromDate: Day;
  /** The first day after the cycle. */
  toDate: Day;
}

/** The stored status; it only moves forward. PENDING, DUE and EXPIRED are derived from payments, dates and today. */
export type StoredStatus = 'PAYMENT_PENDING' | 'PAID' | 'NO_PAYMENT_REQUIRED' | 'DEACTIVATED' | 'REMOVED' | 'REFUNDED';

/** The status that a customer sees (product §4.1). */
export type CycleStatus = StoredStatus | 'PENDING' | 'DUE' | 'EXPIRED';

/** Where a cycle stands in time. */
export type Phase = 'upcoming' | 'running' | 'over';

/** The billing status of an activation in the marketplace (product §4.2). */
export type BillingStatus = 'FREE' | 'PAID' | 'PENDING' | 'DUE';

/** The allowed transitions; no sequence returns to an earlier status. */
export const nextStatuses: Record<StoredStatus, readonly StoredStatus[]> = {
  PAYMENT_PENDING: ['PAID', 'REMOVED', 'REFUNDED'],
  PAID: ['DEACTIVATED', 'REFUNDED'],
  NO_PAYMENT_REQUIRED: ['DEACTIVATED'],
  DEACTIVATED: [],
  REMOVED: [],
  REFUNDED: [],
};

/** Where a cycle stands in time on a day. */
export function phaseOf(cycle: CycleDates, today: Day): Phase {
  if (today < cycle.fromDate) return 'upcoming';
  return today < cycle.toDate ? 'running' : 'over';
}

/** The stored statuses that give access on the cycle's days. */
export const accessStatuses: readonly StoredStatus[] = ['PAID', 'NO_PAYMENT_REQUIRED'];

/** True for a stored status that gives access on the cycle's days. */
export function grantsAccess(status: StoredStatus): boolean {
  return accessStatuses.includes(status);
}

/** What the shown status depends on. */
export interface CycleFacts extends CycleDates {
  status: StoredStatus;
  /** The IST day on which the cycle was ordered. */
  createdOn: Day;
  /** A payment is authorised, pending in the customer's UPI app, or captured and not yet settled. */
  paymentUnderWay: boolean;
}

/**
 * The status that is shown (product §4.1). PENDING: a payment is in progress. DUE: its start day has come and it is
 * unpaid; a cycle ordered today to start today is still payment-pending today. EXPIRED: it gave access and is over.
 */
export function shownStatus(cycle: CycleFacts, today: Day): CycleStatus {
  if (cycle.status === 'PAYMENT_PENDING' && cycle.paymentUnderWay) return 'PENDING';
  if (cycle.status === 'PAYMENT_PENDING' && today >= cycle.fromDate && today > cycle.createdOn) return 'DUE';
  return grantsAccess(cycle.status) && today >= cycle.toDate ? 'EXPIRED' : cycle.status;
}

/** Does a cycle of this shown status wait for a payment, and none is being confirmed? */
export function awaitsPayment({ status }: { status: CycleStatus }): boolean {
  return status === 'PAYMENT_PENDING' || status === 'DUE';
}

/**
 * Can a cycle be paid now? One whose payment is being confirmed must not be paid again, and one that is not on sale any more as it was added
 * can't be (`changed`).
 */
export function isPayable(cycle: { status: CycleStatus; changed: object | null }): boolean {
  return awaitsPayment(cycle) && cycle.changed === null;
}

/** Is a cycle of this shown status still to be paid, or its payment being confirmed? */
export function isUnpaid({ status }: { status: CycleStatus }): boolean {
  return awaitsPayment({ status }) || status === 'PENDING';
}

/** The cycles that give access on a day or later: nothing else can run on their days. */
export function takenBy<C extends CycleDates & { status: CycleStatus }>(cycles: readonly C[], today: Day): C[] {
  return cycles.filter(({ status, toDate }) => ['PAID', 'NO_PAYMENT_REQUIRED'].includes(status) && toDate > today);
}

/** The cycle's billing status on the marketplace card. `bill`: of one that is paid later, while something of it is owed. */
export function billingStatusOf(cycle: CycleFacts, today: Day, bill?: OpenBillState): BillingStatus {
  const status = shownStatus(cycle, today);
  if (status === 'PAID' && bill !== undefined) return bill === 'DUE' ? 'PENDING' : 'DUE';
  if (status === 'PAID') return 'PAID';
  if (status === 'NO_PAYMENT_REQUIRED') return 'FREE';
  // What is over, ended or refunded waits for no payment of its own: another plan is due.
  return status === 'PAYMENT_PENDING' || status === 'PENDING' ? 'PENDING' : 'DUE';
}

/** The dates of a cycle that starts on a day: toDate = fromDate + maxDays (product §4.10). */
export function cycleFrom(fromDate: Day, maxDays: number): CycleDates {
  if (!Number.isInteger(maxDays) || maxDays < 1)
    throw new RangeError(`maxDays must be a positive integer, got ${maxDays}`);
  return { fromDate, toDate: addDays(fromDate, maxDays) };
}

/** The dates of several cycles of one plan that follow one another without a gap (product §4.18). */
export function periodsFrom(fromDate: Day, maxDays: number, periods: number): CycleDates[] {
  return Array.from({ length: periods }, (_, index) => cycleFrom(addDays(fromDate, index * maxDays), maxDays));
}

/** True when two cycles share a day. Adjacent cycles do not overlap. */
export function overlaps(a: CycleDates, b: CycleDates): boolean {
  return a.fromDate < b.toDate && b.fromDate < a.toDate;
}

/**
 * The first `maxDays` consecutive free days from `earliest` on, among the cycles that give access (product §4.14: a
 * cycle paid late keeps its full length).
 */
export function firstFreeCycle(earliest: Day, maxDays: number, taken: readonly CycleDates[]): CycleDates {
  let candidate = cycleFrom(earliest, maxDays);
  for (const cycle of taken.toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1))) {
    if (overlaps(candidate, cycle)) candidate = cycleFrom(cycle.toDate, maxDays);
  }
  return candidate;
}

/**
 * The dates of a cycle whose payment arrives today: its own when they are free and not past, else the first free ones
 * (product §4.14).
 */
export function datesWhenPaid(cycle: CycleDates, today: Day, taken: readonly CycleDates[]): CycleDates {
  return firstFreeCycle(laterDay(cycle.fromDate, today), daysBetween(cycle.fromDate, cycle.toDate), taken);
}

/** The same for several that are paid at once, each behind those before it. A switch starts today, whatever runs (product §4.21). */
export function datesWhenPaidTogether(
  cycles: readonly (CycleDates & { replaces: string | null })[],
  today: Day,
  taken: readonly CycleDates[],
): CycleDates[] {
  const paid: CycleDates[] = [];
  for (const { replaces, ...cycle } of cycles) {
    paid.push(
      replaces !== null
        ? cycleFrom(today, daysBetween(cycle.fromDate, cycle.toDate))
        : datesWhenPaid(cycle, today, [...taken, ...paid]),
    );
  }
  return paid;
}

/** Where 'Prepay next' starts (product §4.7): the day after the last cycle that gives access, or today. */
export function nextStartDay(taken: readonly CycleDates[], today: Day): Day {
  return taken.reduce((day, cycle) => laterDay(day, cycle.toDate), today);
}

/**
 * The days left of a cycle: those after today, since today itself counts as used. Pages and refunds count them alike
 * (product §4.15).
 */
export function daysLeft(cycle: CycleDates, today: Day): number {
  const length = daysBetween(cycle.fromDate, cycle.toDate);
  return Math.min(length, Math.max(0, daysBetween(today, cycle.toDate) - 1));
}

/** The units of a plan as sold, without packs, and how many of its calls took. */
export interface UnitsTaken {
  sold: number;
  taken: number;
}

/**
 * What is lost when a running cycle ends today: the days left, and what they or the units left are worth, whichever is less (product §4.12). Days alone
 * would sell the units of a month for the price of a day.
 */
export function unusedOf(
  cycle: CycleDates,
  units: UnitsTaken,
  pricePaise: number,
  today: Day,
): { days: number; paise: number } {
  const days = daysLeft(cycle, today);
  const ofDays = share(pricePaise, days, daysBetween(cycle.fromDate, cycle.toDate));
  const unitsLeft = Math.max(0, units.sold - units.taken);
  return { days, paise: units.sold > 0 ? Math.min(ofDays, share(pricePaise, unitsLeft, units.sold)) : ofDays };
}
