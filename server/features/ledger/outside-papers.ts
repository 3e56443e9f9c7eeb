import type { Db } from '#database/connect.ts';
import { type DocumentFiles, DocumentFileFault, storedPdfColumns } from '#server/document-files/document-files.ts';
import { reasonOf } from '#platform/reason.ts';

/** Rows per statement. */
const batch = 100;
/** A store takes some ms for each, most of them waiting. */
const atOnce = 8;

/**
 * PDFs outside the database that are missing or altered, of all customers. Each is read as a whole. Not within the snapshot of the other rules,
 * because a place may take long, and a PDF never changes.
 */
export async function faultsOfOutsidePapers(
  db: Db,
  files: DocumentFiles | undefined,
  maxFaults: number,
  stopping?: AbortSignal,
): Promise<string[]> {
  const faults: string[] = [];
  for (const table of ['document_files', 'amendment_files'] as const) {
    for (let after = ''; faults.length < maxFaults;) {
      stopping?.throwIfAborted();
      const rows = await db
        .selectFrom(table)
        .innerJoin('documents', 'documents.id', `${table}.document_id`)
        .select(storedPdfColumns)
        .select(['document_id', 'number'])
        .where('place', 'is not', null)
        .where('document_id', '>', after)
        .orderBy('document_id')
        .limit(batch)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      if (files === undefined) return ['PDFs outside the database: not verified, because nobody said how to read them'];
      const found = await inTurns(rows, async (row) => {
        try {
          await files.read(row);
          return [];
        } catch (error) {
          if (!(error instanceof DocumentFileFault)) throw error;
          return [`a PDF never changes: that of ${row.number} (${row.document_id}): ${reasonOf(error)}`];
        }
      });
      faults.push(...found.flat());
      if (rows.length < batch) break;
      after = last.document_id;
    }
  }
  return faults.slice(0, maxFaults);
}

/** Works on a few at the same time; the results stand in the order of the items. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
