import type { HistoryEntry } from '#shared/contract/invoices.ts';
import { PaidNote } from '#web/features/invoices/paid-note.tsx';
import { RefundNote } from '#web/features/invoices/refund-note.tsx';
import { TdsNote } from '#web/features/tds/tds-note.tsx';
import { GrantNote } from '#web/ui/grant-note.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The status of an entry of the billing history, and what explains it. */
export function EntryStatus({ entry }: { entry: HistoryEntry }) {
  return (
    <>
      <StatusBadge status={entry.status} granted={entry.granted} />
      <GrantNote granted={entry.granted} />
      <PaidNote entry={entry} />
      {entry.refund !== null && <RefundNote refund={entry.refund} />}
      <TdsNote tds={entry.tds} />
    </>
  );
}
