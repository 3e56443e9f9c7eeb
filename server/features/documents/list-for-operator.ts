import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import type { DocumentKind } from '#shared/domain/document.ts';
import { cancelWithinMs } from '#shared/domain/e-invoice.ts';
import { rupees } from '#shared/domain/money.ts';
import { isPrinted } from '#server/document-files/document-files.ts';
import { type AskedPage, pageOf, pastPage } from '#server/operator-pages.ts';

/** The documents of a customer, newest first. */
export async function listDocumentsOf(
  db: Db,
  customerId: string,
  nowMs: number,
  { after, limit }: AskedPage,
): Promise<OperatorReply<'listDocuments'>> {
  const read = await db
    .selectFrom('documents')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .leftJoin('e_invoice_waits as wait', 'wait.document_id', 'documents.id')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .leftJoin('documents as followed', 'followed.id', 'documents.refers_to')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.total_paise'])
    .select(['documents.cycle_id', 'documents.payment_id', 'followed.number as refers_to'])
    .select(['e_invoices.irn', 'e_invoices.cancelled_at', 'e_invoices.ack_at', 'document_files.document_id as file'])
    .select(['documents.needs_irn', 'wait.refused_code', 'wait.refused_reason', 'wait.closed_at'])
    .select(['amendments.document_id as amended', 'amendment_files.document_id as amended_file'])
    .where('documents.customer_id', '=', customerId)
    .where(await pastPage(db, 'documents', { time: 'issued_at', id: 'id' }, after))
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
      registration: registrationOf(row),
      refused: row.refused_code === null ? null : { code: row.refused_code, reason: row.refused_reason ?? '' },
      cancellableUntil: cancellableUntil(row, nowMs),
      isPrinted: isPrinted(row),
    })),
    next,
  };
}

interface Registration {
  kind: DocumentKind;
  needs_irn: boolean;
  irn: string | null;
  ack_at: Date | null;
  cancelled_at: Date | null;
  refused_code: string | null;
  closed_at: Date | null;
}

function registrationOf({ needs_irn: needsIrn, irn, cancelled_at: cancelledAt, ...wait }: Registration) {
  if (irn !== null) return cancelledAt === null ? 'REGISTERED' : 'CANCELLED';
  if (!needsIrn) return null;
  if (wait.closed_at !== null) return 'NEVER';
  return wait.refused_code === null ? 'WAITING' : 'REFUSED';
}

function cancellableUntil({ kind, ack_at: at, cancelled_at: cancelledAt }: Registration, nowMs: number) {
  if (kind !== 'INVOICE' || at === null || cancelledAt !== null) return null;
  const until = at.getTime() + cancelWithinMs;
  return nowMs > until ? null : new Date(until).toISOString();
}
