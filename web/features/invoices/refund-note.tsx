import type { HistoryEntry } from '#shared/contract/invoices.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { moneyText } from '#web/ui/money-text.ts';

/** The refund of an entry, below its status. */
export function RefundNote({ refund: { status, amount } }: { refund: NonNullable<HistoryEntry['refund']> }) {
  return <span className={`${classes.sub} num`}>{texts.refund[status](moneyText(amount))}</span>;
}
