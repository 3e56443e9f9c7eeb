import type { Db, Tx } from '#shared/database/connect.ts';
import { documentFileName, isExempt } from '#shared/domain/document.ts';
import { isPrinted, storedPdfColumns } from '#server/document-files/document-files.ts';
import type { Portal } from '#server/portal.ts';

type Files = Pick<Portal, 'db' | 'documentFiles'>;

interface AttachingMail {
  id: string;
  document_id: string | null;
  created_at: Date;
}

/** The documents that a mail attaches, in order. */
async function selectDocumentIds(db: Db | Tx, { id, document_id: first }: Omit<AttachingMail, 'created_at'>) {
  if (first === null) return [];
  const further = await db
    .selectFrom('mail_documents')
    .select('document_id')
    .where('mail_id', '=', id)
    .orderBy('place')
    .execute();
  return [first, ...further.map((row) => row.document_id)];
}

/** The PDFs of a mail, without those that the invoice portal refused to register. Throws while another one has not been rendered. */
export async function readDocuments(portal: Files, mail: AttachingMail) {
  const ids = await selectDocumentIds(portal.db, mail);
  const files = await Promise.all(ids.map((id) => readDocument(portal, id, mail.created_at)));
  return files.filter((file) => file !== undefined);
}

/** A mail that was written before the amendment gets the first version, if it is still waiting. */
const versionsAt = (db: Db | Tx, writtenAt: Date) =>
  db
    .selectFrom('documents')
    .leftJoin('amendments', (join) =>
      join.onRef('amendments.document_id', '=', 'documents.id').on('amendments.amended_at', '<=', writtenAt),
    )
    .select(['documents.id', 'amendments.document_id as amended']);

async function readDocument({ db, documentFiles }: Files, documentId: string, writtenAt: Date) {
  const row = await versionsAt(db, writtenAt)
    .select(['documents.kind', 'documents.number', 'documents.content'])
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow();
  const stored = await db
    .selectFrom(row.amended === null ? 'document_files' : 'amendment_files')
    .select(storedPdfColumns)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  if (stored === undefined && (await selectRefused(db, [documentId])).length > 0) return undefined;
  if (stored === undefined) throw new Error(`the PDF of ${documentId} has not been rendered yet`);
  const content = await documentFiles.read(stored);
  const filename = documentFileName({ ...row, exempt: isExempt(row.content) });
  return { filename, content, contentType: 'application/pdf' } as const;
}

/** Which of these documents the invoice portal refused. */
function selectRefused(db: Db | Tx, documentIds: string[]) {
  return db
    .selectFrom('e_invoice_waits')
    .select('document_id')
    .where('document_id', 'in', documentIds)
    .where('refused_at', 'is not', null)
    .execute();
}

/** The unsent mails that attach a document. Locked: of two documents that are finished at the same time, the later one sees the earlier. */
export function selectWaiting(tx: Tx, documentId: string) {
  return tx
    .selectFrom('mails')
    .select(['id', 'document_id', 'body_text', 'body_html', 'created_at'])
    .where('sent_at', 'is', null)
    .where((mail) =>
      mail.or([
        mail('document_id', '=', documentId),
        mail('id', 'in', mail.selectFrom('mail_documents').select('mail_id').where('document_id', '=', documentId)),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The unsent mails that waited for this document, and now for none: each is printed in the version that the mail attaches, or was refused. */
export async function selectComplete(tx: Tx, documentId: string): Promise<string[]> {
  const mails = await selectWaiting(tx, documentId);
  const complete: string[] = [];
  for (const mail of mails) {
    const ids = await selectDocumentIds(tx, mail);
    const versions = await versionsAt(tx, mail.created_at)
      .leftJoin('document_files', 'document_files.document_id', 'documents.id')
      .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
      .select(['document_files.document_id as file', 'amendment_files.document_id as amended_file'])
      .where('documents.id', 'in', ids)
      .execute();
    const refused = new Set((await selectRefused(tx, ids)).map((row) => row.document_id));
    if (versions.every((version) => isPrinted(version) || refused.has(version.id))) complete.push(mail.id);
  }
  return complete;
}
