import type { Tx } from '#database/connect.ts';
import { type LedgerEntry, sumOfLines } from '#domain/ledger.ts';

export { isWholeCheckDue, readLedgerHealth, verifyLedger, verifyWholeLedger } from './watch.ts';

/**
 * Enters what happened to money, in the transaction in which it happened. The database gives the entry its place in the chain
 * at the commit, and refuses what does not sum to zero or was entered before.
 */
export async function enter(tx: Tx, entry: LedgerEntry, now: Date): Promise<void> {
  if (sumOfLines(entry.lines) !== 0) throw new Error(`ledger entry ${entry.id} does not sum to zero`);
  await tx
    .insertInto('ledger_entries')
    .values({
      id: entry.id,
      kind: entry.kind,
      payment_id: entry.paymentId,
      refund_id: entry.refundId,
      cycle_id: entry.cycleId,
      customer_id: entry.customerId,
      currency: entry.currency,
      posted_at: now,
    })
    .execute();
  await tx
    .insertInto('ledger_lines')
    .values(entry.lines.map((line) => ({ entry_id: entry.id, account: line.account, amount_paise: line.amountPaise })))
    .execute();
}
