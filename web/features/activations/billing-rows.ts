import type { AllHistoryEntry } from '#shared/contract/invoices.ts';
import type { Day } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { isPayable } from '#shared/domain/cycle.ts';

/** By state: everything, unpaid, paid. */
export const billingShows = ['all', 'toPay', 'paid'] as const;

/** Which rows are shown. */
export interface BillingFilter {
  show: (typeof billingShows)[number];
  /** Null: of all activations. */
  activationId: string | null;
  /** Part of an invoice's number, an activation's id, a service's or a plan's name. */
  words: string;
}

/** Parses the query of a URL. */
export function readBillingFilter(search: URLSearchParams): BillingFilter {
  const show = search.get('show');
  return {
    show: billingShows.find((each) => each === show) ?? 'all',
    activationId: search.get('activation') || null,
    words: search.get('q') ?? '',
  };
}

/** The activations that the rows belong to, each once, in the order of the rows. */
export function activationsOf(rows: readonly AllHistoryEntry[]): AllHistoryEntry['activation'][] {
  return [...new Map(rows.map(({ activation }) => [activation.id, activation])).values()];
}

/** The rows that a filter leaves. */
export function filterRows(
  rows: readonly AllHistoryEntry[],
  { show, activationId, words }: BillingFilter,
): AllHistoryEntry[] {
  const wanted = words.trim().toLowerCase();
  return rows.filter((row) => {
    const { id, service } = row.activation;
    if (activationId !== null && id !== activationId) return false;
    if (show === 'toPay' && !isPayable(row) && row.bill === null) return false;
    if (show === 'paid' && !wasPaid(row)) return false;
    return [row.invoiceId ?? '', id, service, row.desc].some((text) => text.toLowerCase().includes(wanted));
  });
}

/** A sum in rupees and of how many entries it is made. */
export interface BillingSum {
  rupees: number;
  count: number;
}

/** The unpaid amount, and the payments of a calendar year less refunds. */
export function billingSums(
  rows: readonly AllHistoryEntry[],
  today: Day,
): { toPay: BillingSum; paidThisYear: BillingSum } {
  const later = rows.flatMap(({ bill }) => (bill === null ? [] : [toPaise(bill.owed)]));
  const { rupees: now, count } = sumOf(rows.filter(isPayable));
  return {
    toPay: { rupees: rupees(later.reduce((sum, owed) => sum + owed, toPaise(now))), count: count + later.length },
    paidThisYear: sumOf(rows.filter((row) => wasPaid(row) && row.date.slice(0, 4) === today.slice(0, 4))),
  };
}

/** Paid and not fully refunded. Only paid cycles have an invoice, or those that are paid later and have a bill. */
function wasPaid({ status, invoiceId, bill }: AllHistoryEntry): boolean {
  if (bill !== null) return false;
  return status === 'PAID' || (invoiceId !== null && status !== 'REFUNDED');
}

function sumOf(rows: readonly AllHistoryEntry[]): BillingSum {
  const paise = rows.reduce((sum, { amount, refund }) => sum + toPaise(amount) - toPaise(refund?.amount ?? 0), 0);
  return { rupees: rupees(paise), count: rows.length };
}
