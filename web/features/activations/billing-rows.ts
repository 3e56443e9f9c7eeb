import type { Activation } from '#contract/activations.ts';
import type { HistoryEntry } from '#contract/invoices.ts';
import type { Day } from '#domain/day.ts';
import { rupees, toPaise } from '#domain/money.ts';
import { isPayable } from '#web/features/cycles/open-cycles.ts';

/** A billing history entry and whose it is. */
export interface BillingRow {
  activationId: string;
  service: string;
  entry: HistoryEntry;
}

/** By state: everything, what waits for a payment, what was paid. */
export const billingShows = ['all', 'toPay', 'paid'] as const;

/** Which rows are shown. */
export interface BillingFilter {
  show: (typeof billingShows)[number];
  /** Null: of all activations. */
  activationId: string | null;
  /** Part of an invoice's number, an activation's id, a service's or a plan's name. */
  words: string;
}

/** Reads what an address says after its `?`. */
export function readBillingFilter(search: URLSearchParams): BillingFilter {
  const show = search.get('show');
  return {
    show: billingShows.find((each) => each === show) ?? 'all',
    activationId: search.get('activation') || null,
    words: search.get('q') ?? '',
  };
}

/** All entries, newest first. `histories` stand in the order of the activations. */
export function billingRows(
  activations: readonly Pick<Activation, 'id' | 'service'>[],
  histories: readonly (readonly HistoryEntry[])[],
): BillingRow[] {
  return activations
    .flatMap(({ id, service }, index) =>
      (histories[index] ?? []).map((entry) => ({ activationId: id, service: service.name, entry })),
    )
    .toSorted((a, b) => b.entry.date.localeCompare(a.entry.date));
}

/** The rows that a filter leaves. */
export function filterRows(rows: readonly BillingRow[], { show, activationId, words }: BillingFilter): BillingRow[] {
  const wanted = words.trim().toLowerCase();
  return rows.filter(({ activationId: id, service, entry }) => {
    if (activationId !== null && id !== activationId) return false;
    if (show === 'toPay' && !isPayable(entry)) return false;
    if (show === 'paid' && !wasPaid(entry)) return false;
    return [entry.invoiceId ?? '', id, service, entry.desc].some((text) => text.toLowerCase().includes(wanted));
  });
}

/** A sum in rupees and of how many entries it is made. */
export interface BillingSum {
  rupees: number;
  count: number;
}

/** What waits for a payment, and what was paid in the calendar year of a day. */
export function billingSums(rows: readonly BillingRow[], today: Day): { toPay: BillingSum; paidThisYear: BillingSum } {
  const entries = rows.map(({ entry }) => entry);
  return {
    toPay: sumOf(entries.filter(isPayable)),
    paidThisYear: sumOf(entries.filter((entry) => wasPaid(entry) && entry.date.slice(0, 4) === today.slice(0, 4))),
  };
}

/** Money was taken and not given back whole. An invoice is made only for what was paid. */
function wasPaid({ status, invoiceId }: HistoryEntry): boolean {
  return status === 'PAID' || (invoiceId !== null && status !== 'REFUNDED');
}

function sumOf(entries: readonly HistoryEntry[]): BillingSum {
  return { rupees: rupees(entries.reduce((sum, { amount }) => sum + toPaise(amount), 0)), count: entries.length };
}
