import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { isExempt, titleOf } from '#shared/domain/document.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import { isPrinted } from '#server/document-files/document-files.ts';
import { happened } from '#server/features/events/events.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** Documents that are mailed again, and to whom. */
type DocumentMail = OperatorReply<'sendDocuments'>;

/** Far more than a person sends, and small enough for a mail. */
const maxDocuments = 20;
const address = /^[^\s\p{C}@<>,;"]+@[^\s\p{C}@<>,;"]+\.[^\s\p{C}@<>,;".]+$/u;

/** What would be mailed; throws OperatorRefusal when a document is unknown, of another customer, or has no file yet. */
export async function previewDocumentMail(
  db: Db | Tx,
  wanted: readonly string[],
  to: string | undefined,
): Promise<DocumentMail> {
  const sought = [...new Set(wanted.map((each) => each.trim()))];
  if (sought.length > maxDocuments)
    throw new OperatorRefusal(`A mail carries at most ${maxDocuments} documents.`, 'invalid_request');
  if (to !== undefined && !address.test(to))
    throw new OperatorRefusal(`${to} is not an e-mail address.`, 'invalid_request');
  const rows = await db
    .selectFrom('documents')
    .innerJoin('customers', 'customers.id', 'documents.customer_id')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.customer_id'])
    .select('documents.content')
    .select([
      'customers.email',
      'customers.erased_at',
      'document_files.document_id as file',
      'amendments.document_id as amended',
    ])
    .select('amendment_files.document_id as amended_file')
    .where((where) => where.or([where('documents.id', 'in', sought), where('documents.number', 'in', sought)]))
    .orderBy('documents.issued_at')
    .orderBy('documents.number')
    .execute();
  const unknown = sought.filter((each) => !rows.some(({ id, number }) => id === each || number === each));
  if (unknown.length > 0) throw new OperatorRefusal(`There is no document ${unknown.join(', ')}.`, 'not_found');
  const waiting = rows.filter((row) => !isPrinted(row));
  if (waiting.length > 0)
    throw new OperatorRefusal(
      `${waiting.map(({ number }) => number).join(', ')} has no file yet: it waits for the invoice portal or is being printed. See: octroi e-invoices list`,
    );
  const [first] = rows;
  if (!first) throw new OperatorRefusal('Name at least one document.', 'invalid_request');
  if (rows.some(({ customer_id: id }) => id !== first.customer_id))
    throw new OperatorRefusal('These documents are of several customers. Send them one by one.');
  if (to === undefined && first.erased_at !== null)
    throw new OperatorRefusal(`${first.customer_id} is erased and has no address: name one with --to.`);
  return {
    customerId: first.customer_id,
    recipient: to ?? first.email,
    isOtherAddress: to !== undefined && to !== first.email,
    documents: rows.map(({ id, kind, number, issued_on: issuedOn, content }) => {
      const exempt = isExempt(content);
      return { id, kind, number, issuedOn, exempt, title: titleOf({ kind, exempt }) };
    }),
  };
}

/** Mails documents again, as their newest versions are: to the customer, or to another address. */
export function sendDocuments(
  context: OperatorContext,
  wanted: readonly string[],
  to: string | undefined,
  cause: OperatorCause,
): Promise<DocumentMail> {
  return transaction(context.db, async (tx) => {
    const mail = await previewDocumentMail(tx, wanted, to);
    const { customerId, recipient, isOtherAddress, documents } = mail;
    const sendingId = newId('MSG');
    // The address stands with the mail alone: an erasure can't take it out of the audit log.
    const effect = { sendingId, isOtherAddress, documents: documents.map(({ number }) => number) };
    const target = documents[0]?.number ?? '';
    await recordAction(tx, { ...cause, action: 'documents.send', target, customerId, effect });
    await happened(context, { customerId }, tx, {
      type: 'documents.sent',
      sendingId,
      documents: documents.map(({ id, kind, number, issuedOn }) => ({ id, kind, number, issuedOn })),
      email: isOtherAddress ? recipient : null,
    });
    return mail;
  });
}
