import { type Day, earlierDay, startOfDay } from '#shared/domain/day.ts';
import { documentFileName, isExempt } from '#shared/domain/document.ts';
import { gstr1JsonFiles } from '#shared/domain/gst-return-json.ts';
import { gstr3bJson } from '#shared/domain/gst-return-3b-json.ts';
import { firstDayOf, lastDayOf, type Month } from '#shared/domain/month.ts';
import { gstr3bCsv, monthFiles, readGstr3bs, unassignedText } from '#server/features/bookkeeping/bookkeeping.ts';
import { gstr1Files, readGstReturns } from '#server/features/documents/documents.ts';
import { storedPdfColumns } from '#server/document-files/document-files.ts';
import { certificateFileName, listAccepted, readCertificate } from '#server/features/tds/tds.ts';
import type { Portal } from '#server/portal.ts';
import { type ZipEntry, zipOf } from './zip.ts';

/** What the pack reads from. */
type Source = Pick<Portal, 'db' | 'documentFiles'>;

const jsonOf = (value: object): string => `${JSON.stringify(value, null, 1)}\n`;

/**
 * The provider's month as a ZIP: every stored PDF of a document issued in it (amended ones in both versions), the TDS certificates accepted in
 * it, the returns of each GSTIN, and the files of the books. A document without a PDF is named in `missing.txt`.
 */
export async function readProviderPack({ db, documentFiles }: Source, month: Month, today: Day) {
  const papers = await listPapers({ db, documentFiles }, month);
  const returns = await readGstReturns(db, month);
  const gstr3bs = await readGstr3bs(db, month, returns);
  const entries = [...papers.entries];
  for (const claim of await listAccepted(db, { from: firstDayOf(month), to: lastDayOf(month) })) {
    entries.push({ name: `tds/${certificateFileName(claim)}`, content: () => readCertificate(db, claim.id) });
  }
  for (const [gstin, gstReturn] of returns) {
    for (const [name, csv] of gstr1Files(gstReturn)) entries.push({ name: `gstr1/${gstin}/${name}.csv`, content: csv });
    const { upload, all } = gstr1JsonFiles(gstin, month, gstReturn);
    for (const { name, content } of [upload, all])
      entries.push({ name: `gstr1/${gstin}/${name}`, content: jsonOf(content) });
  }
  for (const [gstin, gstr3b] of gstr3bs.returns) {
    entries.push({ name: `gstr3b/${gstin}/gstr3b.json`, content: jsonOf(gstr3bJson(gstin, month, gstr3b)) });
    entries.push({ name: `gstr3b/${gstin}/gstr3b.csv`, content: gstr3bCsv(gstr3b) });
  }
  if (gstr3bs.unassigned !== null)
    entries.push({ name: 'gstr3b/input-tax.txt', content: `${unassignedText(month, gstr3bs.unassigned)}\n` });
  for (const [name, content] of await monthFiles(db, month, today)) entries.push({ name: `accounts/${name}`, content });
  const { missing } = papers;
  if (missing.length > 0) entries.push({ name: 'missing.txt', content: `No PDF: ${missing.join(', ')}\n` });
  const zip = zipOf(entries, new Date(startOfDay(earlierDay(lastDayOf(month), today))));
  return { zip, documents: papers.entries.length, missing };
}

async function listPapers(source: Source, month: Month): Promise<{ entries: ZipEntry[]; missing: string[] }> {
  const rows = await source.db
    .selectFrom('documents')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.content'])
    .select(['document_files.document_id as file_id', 'amendment_files.document_id as amended_id'])
    .where('documents.issued_on', '>=', firstDayOf(month))
    .where('documents.issued_on', '<=', lastDayOf(month))
    .orderBy('documents.kind')
    .orderBy('documents.financial_year')
    .orderBy('documents.series')
    .orderBy('documents.sequence')
    .execute();
  const entries = rows.flatMap(({ kind, number, content, file_id: id, amended_id: amendedId }): ZipEntry[] => {
    const name = documentFileName({ kind, number, exempt: isExempt(content) });
    return [
      ...(id === null ? [] : [{ name: `documents/${name}`, content: () => readPdf(source, 'document_files', id) }]),
      ...(amendedId === null
        ? []
        : [{ name: `documents/revised-${name}`, content: () => readPdf(source, 'amendment_files', amendedId) }]),
    ];
  });
  return { entries, missing: rows.filter((row) => row.file_id === null).map(({ number }) => number) };
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
