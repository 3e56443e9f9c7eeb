import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { DocumentFileFault, type DocumentFiles, type StoredPdf, storedPdfColumns } from './document-files.ts';
import { NameTaken } from './document-place.ts';
import { inDatabase } from './settings.ts';

/** PDFs that lie in one place. */
export interface PdfCount {
  place: string;
  documents: number;
  bytes: number;
}

const countRow = z.object({ place: z.string(), documents: z.number(), bytes: z.number() });
const tables = ['document_files', 'amendment_files'] as const;

/** What a row says of its place: null in the database. */
const columnOf = (place: string): string | null => (place === inDatabase ? null : place);

/** The PDFs that lie elsewhere than in this place. */
export async function countElsewhere(db: Db, place: string): Promise<PdfCount[]> {
  const found = await sql`select coalesce(place, ${inDatabase}) as place, count(*)::float8 as documents,
      sum(coalesce(bytes, octet_length(pdf)))::float8 as bytes
    from (select place, bytes, pdf from document_files union all select place, bytes, pdf from amendment_files) f
    where place is distinct from ${columnOf(place)} group by 1 order by 1`.execute(db);
  return checkedRows(countRow, found);
}

export interface Moved {
  moved: number;
  bytes: number;
  /** PDFs that are missing, altered or unreadable, or whose name is taken where they should go; their rows stay as they are. */
  failed: { number: string; reason: string }[];
}

/** PDFs in memory at the same time. */
const atOnce = 8;

/** Would the others still move? One bad block of a disk must not keep them there. */
async function isOfOneFile(files: DocumentFiles, { place }: StoredPdf, error: unknown): Promise<boolean> {
  if (error instanceof NameTaken) return true;
  if (!(error instanceof DocumentFileFault)) return false;
  if (error.kind !== 'unreachable') return true;
  const places = [place ?? inDatabase, files.place].filter((each) => each !== inDatabase);
  const reached = await Promise.allSettled(places.map(async (each) => files.open(each).reach()));
  return reached.every(({ status }) => status === 'fulfilled');
}

/**
 * Moves every PDF that lies elsewhere to the place of new ones, each in a transaction of its own, so that it may be interrupted and run again. It
 * deletes nothing outside the database: earlier backups may need it. Throws when a place can't be read or written at all.
 */
export async function movePdfs(
  db: Db,
  files: DocumentFiles,
  progress: (soFar: Moved) => void = () => undefined,
): Promise<Moved> {
  const isOutside = files.place !== inDatabase;
  const soFar: Moved = { moved: 0, bytes: 0, failed: [] };
  for (const table of tables) {
    for (let after = ''; ;) {
      const rows = await db
        .selectFrom(table)
        .innerJoin('documents', 'documents.id', `${table}.document_id`)
        .select(storedPdfColumns)
        .select(['document_id', 'number'])
        .where('place', 'is distinct from', columnOf(files.place))
        .where('document_id', '>', after)
        .orderBy('document_id')
        .limit(atOnce)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      const done = await Promise.allSettled(
        rows.map(async ({ number, document_id: documentId, ...stored }) => {
          try {
            const pdf = await files.read(stored);
            if (isOutside) await files.open(files.place).put(stored.pdf_sha256.toString('hex'), pdf);
            const values = isOutside
              ? { pdf: null, place: files.place, bytes: pdf.length }
              : { pdf, place: null, bytes: null };
            // Another command may have moved it meanwhile.
            const { numUpdatedRows } = await db
              .updateTable(table)
              .set(values)
              .where('document_id', '=', documentId)
              .where('place', 'is not distinct from', stored.place)
              .executeTakeFirstOrThrow();
            if (numUpdatedRows === 0n) return;
            soFar.moved += 1;
            soFar.bytes += pdf.length;
          } catch (error) {
            if (!(await isOfOneFile(files, stored, error))) throw error;
            soFar.failed.push({ number, reason: reasonOf(error) });
          }
        }),
      );
      const broken = done.find((each) => each.status === 'rejected');
      if (broken) throw broken.reason;
      progress(soFar);
      after = last.document_id;
    }
  }
  return soFar;
}
