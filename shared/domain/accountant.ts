import { dayOf } from '#shared/domain/day.ts';
import { type Month, monthOf, nextMonth } from '#shared/domain/month.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long the link of a request to an accountant can be followed. */
export const confirmMs = 7 * dayMs;

/** Requests within this time that were not confirmed count towards `maxRequests`: of one customer, and to one address by all customers. */
export const requestWindowMs = 30 * dayMs;
export const maxRequests = 3;

/** How long a customer can't ask an accountant again who has declined or stopped the mails. */
export const declinedMs = 365 * dayMs;

/**
 * An earlier request to an accountant. `isConfirmed`: the accountant wanted it, so it was no nuisance. `declinedAt`: when the accountant
 * declined, or stopped the mails. Epoch milliseconds.
 */
export interface AccountantRequest {
  customerId: string;
  email: string;
  askedAt: number;
  isConfirmed: boolean;
  declinedAt: number | null;
}

/** Addresses that differ only in case are one mailbox. */
export function emailOf(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Why a customer can't ask an accountant now, so that nobody can use the portal to mail strangers again and again (product
 * §6.26). Undefined: they can. The database applies the same rule (trigger `accountants_are_asked`).
 */
export function requestFault(
  earlier: readonly AccountantRequest[],
  { customerId, email }: Pick<AccountantRequest, 'customerId' | 'email'>,
  now: number,
): 'declined' | 'too_often' | undefined {
  const theirs = earlier.filter((each) => each.customerId === customerId);
  if (theirs.some((each) => each.email === email && each.declinedAt !== null && now < each.declinedAt + declinedMs))
    return 'declined';
  const recent = (all: readonly AccountantRequest[]) =>
    all.filter(({ askedAt, isConfirmed }) => !isConfirmed && now < askedAt + requestWindowMs);
  const isTooOften = [theirs, earlier.filter((each) => each.email === email)].some(
    (all) => recent(all).length >= maxRequests,
  );
  return isTooOften ? 'too_often' : undefined;
}

/** A month's papers leave at 06:00 IST on the 1st of the next, when its last documents have their PDFs. */
const sendingHourMs = 6 * hourMs;

/** The month after the last one whose papers may leave. */
export function firstUnsendableMonth(now: number): Month {
  return monthOf(dayOf(now - sendingHourMs));
}

/** The months whose papers are due, oldest first: from `from` on, but at most the last twelve. */
export function dueMonths(from: Month, now: number): Month[] {
  const end = firstUnsendableMonth(now);
  const months: Month[] = [];
  for (let month = from; month < end; month = nextMonth(month)) months.push(month);
  return months.slice(-12);
}
