import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import { rupees } from '#shared/domain/money.ts';
import { isPrinted } from '#server/document-files/document-files.ts';
import { type AskedPage, pageOf, pastPage } from '#server/operator-pages.ts';

/** The documents of a customer, newest first. */
export async function listDocumentsOf(
  db: Db,
  customerId: string,
  { after, limit }: AskedPage,
): Promise<OperatorReply<'listDocuments'>> {
  const read = await db
    .selectFrom('documents')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .leftJoin('documents as followed', 'followed.id', 'documents.refers_to')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.total_paise'])
    .select(['documents.cycle_id', 'documents.payment_id', 'followed.number as refers_to'])
    .select(['e_invoices.irn', 'e_invoices.cancelled_at', 'document_files.document_id as file'])
    .select(['amendments.document_id as amended', 'amendment_files.document_id as amended_file'])
    .where('documents.customer_id', '=', customerId)
    .where(pastPage('documents', { time: 'issued_at', id: 'id' }, after))
    .orderBy('documents.issued_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, next } = pageOf(read, limit, ({ id }) => id);
  return {
    documents: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      number: row.number,
      issuedOn: row.issued_on,
      total: rupees(row.total_paise),
      cycleId: row.cycle_id,
      paymentId: row.payment_id,
      refersTo: row.refers_to,
      irn: row.irn,
      isCancelled: row.cancelled_at !== null,
      isPrinted: isPrinted(row),
    })),
    next,
  };
}
