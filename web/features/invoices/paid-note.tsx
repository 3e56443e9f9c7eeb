import type { HistoryEntry } from '#shared/contract/invoices.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';

/** The state of the payment, below a status that says only that the cycle has ended (product §4.17). */
export function PaidNote({
  entry: { status, payments, bill },
}: {
  entry: Pick<HistoryEntry, 'status' | 'payments' | 'bill'>;
}) {
  const hasEnded = status === 'EXPIRED' || status === 'DEACTIVATED';
  if (hasEnded && bill !== null) return <span className={classes.paid}>{texts.owed[bill.state]}</span>;
  if (!hasEnded || !payments.some((payment) => payment.status === 'captured')) return null;
  return <span className={classes.paid}>{texts.paid}</span>;
}
