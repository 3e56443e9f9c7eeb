import type { Db } from '#shared/database/connect.ts';
import { type DocumentFiles, DocumentFileFault, storedPdfColumns } from '#server/document-files/document-files.ts';
import { reasonOf } from '#shared/platform/reason.ts';

/** Rows per statement. */
const batch = 100;
/** A store takes some ms for each, most of them waiting. */
const atOnce = 8;

/** What was found about PDFs outside the database, a sentence for each. */
export interface OutsidePapers {
  /** Missing or altered. */
  wrong: string[];
  /** Not verified: their place is away, so nobody knows. */
  unread: string[];
}

/**
 * Verifies the PDFs outside the database, of all customers. Each is read as a whole. Not within the snapshot of the other rules,
 * because a place may take long, and a PDF never changes.
 */
export async function verifyOutsidePapers(
  db: Db,
  files: DocumentFiles | undefined,
  maxFaults: number,
  stopping?: AbortSignal,
): Promise<OutsidePapers> {
  const found: OutsidePapers = { wrong: [], unread: [] };
  for (const table of ['document_files', 'amendment_files'] as const) {
    for (let after = ''; found.wrong.length + found.unread.length < maxFaults;) {
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
      if (files === undefined)
        return { wrong: [], unread: ['PDFs outside the database: not verified, because nobody said how to read them'] };
      await inTurns(rows, async (row) => {
        try {
          await files.read(row);
        } catch (error) {
          if (!(error instanceof DocumentFileFault)) throw error;
          const paper = `that of ${row.number} (${row.document_id}): ${reasonOf(error)}`;
          if (error.kind === 'unreachable') found.unread.push(`a PDF was not verified: ${paper}`);
          else found.wrong.push(`a PDF never changes: ${paper}`);
        }
      });
      if (rows.length < batch) break;
      after = last.document_id;
    }
  }
  return found;
}

/** Works on a few at the same time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
