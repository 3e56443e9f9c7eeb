import type { Readable } from 'node:stream';
import type { Db } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { documentFileName, isExempt } from '#shared/domain/document.ts';
import { firstDayOf, lastDayOf, type Month } from '#shared/domain/month.ts';
import { type DocumentFiles, storedPdfColumns } from '#server/document-files/document-files.ts';
import { type ExportsOfMonth, exportsOfMonth, readBooks } from '#server/features/bookkeeping/bookkeeping.ts';
import { renewalsCsv } from '#server/features/mandates/mandates.ts';
import { certificateFileName, listAccepted, readCertificate } from '#server/features/tds/tds.ts';
import type { StoredFile, TextFile } from '#server/operator-handler.ts';
import type { Portal } from '#server/portal.ts';
import { zipOf } from './zip.ts';

/** What the pack reads from. */
type Source = Pick<Portal, 'db' | 'documentFiles'>;

const inFolder = (folder: string, texts: readonly TextFile[]): TextFile[] =>
  texts.map(({ name, content }) => ({ name: `${folder}/${name}`, content }));

/**
 * The papers of the provider's month: every stored PDF of a document issued in it, every revised one of a document amended in it, the TDS certificates
 * accepted in it, the returns of each GSTIN, the files of the books, and the debits by mandate. A document without a PDF is named in `missing.txt`.
 */
export async function exportOfMonth(db: Db, month: Month, parts: ExportsOfMonth) {
  const { papers, count, missing } = await listPapers(db, month);
  const accepted = await listAccepted(db, { from: firstDayOf(month), to: lastDayOf(month) });
  const [gstr1, gstr3b, accounts] = [await parts.gstr1(), await parts.gstr3b(), await parts.accounts()];
  return {
    name: `month-${month}.zip`,
    at: accounts.at,
    stored: (files: DocumentFiles): StoredFile[] => [
      ...papers(files),
      ...accepted.map((claim) => ({
        name: `tds/${certificateFileName(claim)}`,
        content: () => readCertificate(db, claim.id),
      })),
    ],
    texts: [
      ...inFolder('gstr1', gstr1.texts),
      ...inFolder('gstr3b', gstr3b.texts),
      ...inFolder('accounts', accounts.texts),
      { name: 'renewals.csv', content: await renewalsCsv(db, month) },
      ...(missing.length === 0 ? [] : [{ name: 'missing.txt', content: `No PDF: ${missing.join(', ')}\n` }]),
    ],
    reply: { month, documents: count, missing },
  };
}

/** The same as a ZIP. */
export async function readProviderPack({ db, documentFiles }: Source, month: Month, today: Day): Promise<Readable> {
  const parts = exportsOfMonth(db, month, today, await readBooks(db));
  const { stored, texts, at } = await exportOfMonth(db, month, parts);
  return zipOf([...stored(documentFiles), ...texts], at);
}

async function listPapers(db: Db, month: Month) {
  const [from, to] = [firstDayOf(month), lastDayOf(month)];
  const isIn = (day: Day | null): boolean => day !== null && day >= from && day <= to;
  const found = await db
    .selectFrom('documents')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.content'])
    .select(['document_files.document_id as file_id', 'amendment_files.document_id as amended_id'])
    .select(['documents.issued_on', 'amendments.amended_on'])
    .where((row) =>
      row.or([row.between('documents.issued_on', from, to), row.between('amendments.amended_on', from, to)]),
    )
    .orderBy('documents.kind')
    .orderBy('documents.financial_year')
    .orderBy('documents.series')
    .orderBy('documents.sequence')
    .execute();
  // What is amended later is in the pack of that month, so that one that was sent stays as it is.
  const rows = found.map((row) => ({
    ...row,
    file_id: isIn(row.issued_on) ? row.file_id : null,
    amended_id: isIn(row.amended_on) ? row.amended_id : null,
  }));
  const papers = (documentFiles: DocumentFiles): StoredFile[] => {
    const source = { db, documentFiles };
    return rows.flatMap(({ kind, number, content, file_id: id, amended_id: amendedId }) => {
      const name = documentFileName({ kind, number, exempt: isExempt(content) });
      return [
        ...(id === null ? [] : [{ name: `documents/${name}`, content: () => readPdf(source, 'document_files', id) }]),
        ...(amendedId === null
          ? []
          : [{ name: `documents/revised-${name}`, content: () => readPdf(source, 'amendment_files', amendedId) }]),
      ];
    });
  };
  const stored = rows.flatMap(({ file_id: id, amended_id: amendedId }) => [id, amendedId]).filter((id) => id !== null);
  const missing = rows.flatMap(({ number, ...row }) => [
    ...(isIn(row.issued_on) && row.file_id === null ? [number] : []),
    ...(isIn(row.amended_on) && row.amended_id === null ? [`${number} (revised)`] : []),
  ]);
  return { papers, count: stored.length, missing };
}

async function readPdf(
  { db, documentFiles }: Source,
  table: 'document_files' | 'amendment_files',
  documentId: string,
): Promise<Buffer> {
  const stored = await db
    .selectFrom(table)
    .select(storedPdfColumns)
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow();
  return documentFiles.read(stored);
}
