import type { Db, Tx } from '#shared/database/connect.ts';
import type { Portal } from '#server/portal.ts';
import { selectReturnedPaise } from './store.ts';

/**
 * Closes the waits of an invoice that the invoice portal refused and that is credited in full, and of its credit notes. Without a registration it
 * is no tax invoice (CGST Rule 48(5)), so that nothing of it is left to register (decision 054). Their PDFs are made now, and the mails that wait
 * for them leave. Called when either becomes true.
 */
export async function closeCredited(portal: Pick<Portal, 'clock' | 'jobs'>, tx: Tx, invoiceId: string): Promise<void> {
  // Locked, so that a retry of the operator comes before or after it.
  const refused = await tx
    .selectFrom('e_invoice_waits')
    .innerJoin('documents', 'documents.id', 'e_invoice_waits.document_id')
    .select('documents.total_paise')
    .where('document_id', '=', invoiceId)
    .where('documents.kind', '=', 'INVOICE')
    .where('refused_at', 'is not', null)
    .where('closed_at', 'is', null)
    .forUpdate('e_invoice_waits')
    .executeTakeFirst();
  if (!refused || (await selectReturnedPaise(tx, invoiceId)) !== refused.total_paise) return;
  const closed = await tx
    .updateTable('e_invoice_waits')
    .from('documents')
    .set({ closed_at: new Date(portal.clock()) })
    .whereRef('documents.id', '=', 'e_invoice_waits.document_id')
    .where('e_invoice_waits.closed_at', 'is', null)
    .where((document) =>
      document.or([
        document('documents.id', '=', invoiceId),
        document.and([document('documents.refers_to', '=', invoiceId), document('documents.kind', '=', 'CREDIT_NOTE')]),
      ]),
    )
    .returning('document_id')
    .execute();
  for (const { document_id: documentId } of closed) await portal.jobs.send(tx, 'finish-document', { documentId });
}

/** Whether a document will never be registered. */
export async function isNeverRegistered(db: Db, documentId: string): Promise<boolean> {
  const wait = await db
    .selectFrom('e_invoice_waits')
    .select('closed_at')
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return wait !== undefined && wait.closed_at !== null;
}
