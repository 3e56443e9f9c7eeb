import type { Db } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { isPrinted } from '#server/document-files/document-files.ts';

/** A PDF is normally there within seconds. */
const lateMs = 3_600_000;

/** Documents that should have a PDF and have none. What waits for the invoice portal is a list of its own. */
export function selectUnprinted(db: Db, nowMs: number) {
  return db
    .selectFrom('unprinted_documents as unprinted')
    .innerJoin('documents', 'documents.id', 'unprinted.document_id')
    .leftJoin('e_invoice_waits as wait', (join) =>
      join.onRef('wait.document_id', '=', 'documents.id').on('wait.closed_at', 'is', null),
    )
    .where('wait.document_id', 'is', null)
    .where('unprinted.issued_at', '<', new Date(nowMs - lateMs))
    .orderBy('unprinted.issued_at');
}

/** A document without a PDF, or without that of its newest version. Throws OperatorRefusal. */
export async function requireUnprinted(db: Db, number: string) {
  const row = await db
    .selectFrom('documents')
    .innerJoin('customers', 'customers.id', 'documents.customer_id')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('e_invoice_waits as wait', (join) =>
      join.onRef('wait.document_id', '=', 'documents.id').on('wait.closed_at', 'is', null),
    )
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.issued_on', 'documents.customer_id', 'customers.name'])
    .select(['document_files.document_id as file', 'amendment_files.document_id as amended_file'])
    .select(['amendments.document_id as amended', 'wait.document_id as waits'])
    .where('documents.number', '=', number)
    .executeTakeFirst();
  if (!row) throw new OperatorRefusal(`There is no document ${number}.`, 'not_found');
  if (isPrinted(row)) throw new OperatorRefusal(`${number} has its PDF.`, 'nothing_to_change');
  if (row.waits !== null)
    throw new OperatorRefusal(`${number} waits for the invoice portal. See: octroi e-invoices list`);
  const { id, customer_id: customerId, name: buyer, kind, issued_on: issuedOn } = row;
  return { id, facts: { number, customerId, buyer, kind, issuedOn } };
}

/** Queues the printing of a document again: the attempts of its first job may be used up. Throws OperatorRefusal. */
export async function printAgain({ db, jobs }: Pick<Portal, 'db' | 'jobs'>, number: string, cause: OperatorCause) {
  const { id, facts } = await requireUnprinted(db, number);
  await transaction(db, async (tx) => {
    const { customerId } = facts;
    await recordAction(tx, { ...cause, action: 'documents.print', target: number, customerId, effect: {} });
    await jobs.send(tx, 'finish-document', { documentId: id });
  });
  return facts;
}
