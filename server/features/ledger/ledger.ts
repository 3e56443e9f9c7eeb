import type { Tx } from '#shared/database/connect.ts';
import { type LedgerEntry, sumOfLines } from '#shared/domain/ledger.ts';

export { isWholeCheckDue, readLedgerFindings, readLedgerHealth, verifyLedger, verifyWholeLedger } from './watch.ts';

/**
 * Writes a ledger entry, in the transaction that moves the money. The database appends the entry to the chain at the commit, and
 * refuses entries that do not sum to zero or exist already.
 */
export async function postEntry(tx: Tx, entry: LedgerEntry, now: Date): Promise<void> {
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
