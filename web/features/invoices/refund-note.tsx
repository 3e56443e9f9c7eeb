import type { HistoryEntry } from '#shared/contract/invoices.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { moneyText } from '#web/ui/money-text.ts';

/** What of an entry goes back, below its status: of its price, and payments that did not pay it. */
export function RefundNote({ entry: { refund, returned } }: { entry: Pick<HistoryEntry, 'refund' | 'returned'> }) {
  return (
    <>
      {refund !== null && <span className={`${classes.sub} num`}>{wordsOf(refund)}</span>}
      {returned !== null && <span className={`${classes.sub} num`}>{texts.returned(wordsOf(returned))}</span>}
    </>
  );
}

const wordsOf = ({ status, amount }: NonNullable<HistoryEntry['refund']>) => texts.refund[status](moneyText(amount));
