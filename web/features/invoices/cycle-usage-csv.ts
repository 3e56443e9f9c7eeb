import type { HistoryEntry } from '#shared/contract/invoices.ts';
import type { CycleUsage } from '#shared/contract/usage.ts';
import type { Day } from '#shared/domain/day.ts';
import { csvOf } from '#shared/domain/csv.ts';

/** Could calls have been made in this cycle? Not before it begins, and not in one that never gave access. */
export function mayHaveUsage({ status, fromDate }: Pick<HistoryEntry, 'status' | 'fromDate'>, today: Day): boolean {
  const wasOpen = ['PAID', 'NO_PAYMENT_REQUIRED', 'EXPIRED', 'DEACTIVATED', 'REFUNDED'].includes(status);
  return wasOpen && fromDate <= today;
}

/** The usage of a cycle as a CSV file: one line per day, key, status class, and counted or not. */
export function cycleUsageCsv({ billingCycleId, invoiceId, rows }: CycleUsage): string {
  return csvOf(
    ['billing_cycle', 'invoice', 'day', 'key_id', 'key', 'answers', 'counted', 'calls', 'units'],
    rows.map((row) => [
      billingCycleId,
      invoiceId ?? '',
      row.day,
      row.keyId,
      row.keyName,
      row.answers,
      row.counted ? 'yes' : 'no',
      row.calls,
      row.units,
    ]),
  );
}
