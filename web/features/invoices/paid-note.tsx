import type { HistoryEntry } from '#shared/contract/invoices.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';

/** The state of the payment, below a status that says only that the cycle has ended (product §4.17). */
export function PaidNote({
  entry: { status, payments, due },
}: {
  entry: Pick<HistoryEntry, 'status' | 'payments' | 'due'>;
}) {
  const hasEnded = status === 'EXPIRED' || status === 'DEACTIVATED';
  if (hasEnded && due > 0) return <span className={classes.paid}>{texts.stillDue}</span>;
  if (!hasEnded || !payments.some((payment) => payment.status === 'captured')) return null;
  return <span className={classes.paid}>{texts.paid}</span>;
}
