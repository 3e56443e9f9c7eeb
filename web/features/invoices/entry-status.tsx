import type { HistoryEntry } from '#shared/contract/invoices.ts';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import classes from '#web/features/invoices/history-panel.module.css';
import { PaidNote } from '#web/features/invoices/paid-note.tsx';
import { RefundNote } from '#web/features/invoices/refund-note.tsx';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { TdsNote } from '#web/features/tds/tds-note.tsx';
import { GrantNote } from '#web/ui/grant-note.tsx';

/** The status of an entry of the billing history, and what explains it: of what is paid later, whether its bill is paid. Most have just expired: badges of that would hide the others. */
export function EntryStatus({ entry }: { entry: HistoryEntry }) {
  return (
    <>
      {entry.status === 'EXPIRED' ? (
        <span className={classes.over}>
          {texts.expired}
          <PaidNote entry={entry} />
        </span>
      ) : (
        <>
          <CycleStatus cycle={entry} />
          <PaidNote entry={entry} />
        </>
      )}
      <GrantNote granted={entry.granted} />
      <RefundNote entry={entry} />
      <TdsNote tds={entry.tds} />
    </>
  );
}
