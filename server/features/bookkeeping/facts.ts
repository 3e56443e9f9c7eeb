import type { Db, Tx } from '#database/connect.ts';
import type { BookCash, BookDocument, BookFacts } from '#domain/books.ts';
import { type Day, dayOf } from '#domain/day.ts';
import { selectBookSettlements } from './settlement-facts.ts';

/** Everything that the books follow from, as of one moment. */
export function readBookFacts(db: Db): Promise<BookFacts> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      documents: await selectBookDocuments(tx),
      cash: await selectCash(tx),
      ends: await selectEnds(tx),
      settlements: await selectBookSettlements(tx),
      tds: [],
    }));
}

async function selectBookDocuments(tx: Tx): Promise<BookDocument[]> {
  const rows = await tx
    .selectFrom('documents')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.customer_id'])
    .select(['documents.cycle_id', 'documents.refers_to', 'documents.taxable_paise', 'documents.cgst_paise'])
    .select(['documents.sgst_paise', 'documents.utgst_paise', 'documents.igst_paise', 'documents.round_off_paise'])
    .select(['documents.total_paise', 'e_invoices.cancelled_at'])
    .select((of) => [
      of.ref('documents.content', '->').key('item').key('fromDate').as('from_date'),
      of.ref('documents.content', '->').key('item').key('toDate').as('to_date'),
    ])
    .orderBy('documents.issued_at')
    .orderBy('documents.kind')
    .orderBy('documents.sequence')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    number: row.number,
    issuedOn: row.issued_on,
    customerId: row.customer_id,
    cycleId: row.cycle_id,
    refersToId: row.refers_to,
    fromDate: row.from_date,
    toDate: row.to_date,
    cancelled: row.cancelled_at !== null,
    taxablePaise: row.taxable_paise,
    cgstPaise: row.cgst_paise,
    sgstPaise: row.sgst_paise,
    utgstPaise: row.utgst_paise,
    igstPaise: row.igst_paise,
    roundOffPaise: row.round_off_paise,
    totalPaise: row.total_paise,
  }));
}

/** Money in and out at the payment provider. A payment in another currency is refunded in full and is in no account of rupees. */
async function selectCash(tx: Tx): Promise<BookCash[]> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .select(['ledger_entries.id', 'ledger_entries.payment_id', 'ledger_entries.customer_id'])
    .select(['ledger_entries.posted_at', 'ledger_lines.amount_paise'])
    .where('ledger_lines.account', '=', 'provider')
    .where('ledger_entries.kind', 'in', ['CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_REFUND', 'REFUND_PAID'])
    .where('ledger_entries.currency', '=', 'INR')
    .orderBy('ledger_entries.position')
    // Only settlements have entries without a payment.
    .$narrowType<{ payment_id: string; customer_id: string }>()
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.amount_paise > 0 ? ('captured' as const) : ('refunded' as const),
    on: dayOf(row.posted_at.getTime()),
    customerId: row.customer_id,
    paymentId: row.payment_id,
    amountPaise: Math.abs(row.amount_paise),
  }));
}

/** The days on which paid cycles ended early. */
async function selectEnds(tx: Tx): Promise<Map<string, Day>> {
  const rows = await tx
    .selectFrom('cycles')
    .select(['id', 'ended_at'])
    .where('paid_at', 'is not', null)
    .where('ended_at', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ id, ended_at }) => (ended_at ? [[id, dayOf(ended_at.getTime())] as const] : [])));
}
