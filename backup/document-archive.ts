import type { ClientBase } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { DocumentFileFault, type DocumentFiles } from '#server/document-files/document-files.ts';
import { type DocumentPlace, nameOf } from '#server/document-files/document-place.ts';
import type { ArchiveWriter } from './archive.ts';
import { BackupFault, type Manifest } from './manifest.ts';

/** Of a row whose PDF lies outside the database. */
const outsideRow = z.object({ number: z.string(), hash: z.instanceof(Buffer), place: z.string() });
export type OutsidePdf = z.output<typeof outsideRow>;

/** The PDFs outside the database. Within the snapshot of a backup: their files were there before their rows, and never change. */
export async function listOutsidePdfs(client: ClientBase): Promise<OutsidePdf[]> {
  // A backup may also be made of a database that is not migrated yet.
  const known = await client.query(
    `select from pg_attribute where attrelid = 'document_files'::regclass and attname = 'place' and not attisdropped`,
  );
  if (known.rowCount === 0) return [];
  const found = await client.query(
    `select d.number, f.pdf_sha256 as hash, f.place from documents d join (select * from document_files union all select * from amendment_files) f
       on f.document_id = d.id where f.place is not null order by f.place, d.id`,
  );
  return checkedRows(outsideRow, found);
}

/** How many lie in each place. */
export function countByPlace(outside: readonly OutsidePdf[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { place } of outside) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

/** Adds those that lie in folders. A store keeps its own: a backup of it would be a second store. */
export async function addOutsidePdfs(
  archive: ArchiveWriter,
  files: DocumentFiles,
  outside: readonly OutsidePdf[],
): Promise<Manifest['documents']> {
  const included = new Set<string>();
  const unreadable: string[] = [];
  for (const { number, hash, place } of outside) {
    const name = hash.toString('hex');
    if (included.has(name)) continue;
    if (isAddress(place)) continue;
    try {
      const pdf = await files.read({ pdf: null, pdf_sha256: hash, place, bytes: null });
      await archive.add(`documents/${nameOf(name)}`, once(pdf));
      included.add(name);
    } catch (error) {
      if (!(error instanceof DocumentFileFault)) throw error;
      // Better a backup of everything else; it names what it lacks.
      unreadable.push(number);
    }
  }
  const inStores = outside.filter(({ place }) => isAddress(place));
  return { included: included.size, unreadable, elsewhere: countByPlace(inStores) };
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

/** Puts the PDFs of a backup into a place. */
export interface DocumentWriter {
  /** A part of a file; those of a file follow each other. */
  write: (file: string, data: Buffer) => Promise<void>;
  finish: () => Promise<void>;
}

export function createDocumentWriter(place: DocumentPlace): DocumentWriter {
  let current: { file: string; parts: Buffer[] } | undefined;
  const finish = async (): Promise<void> => {
    if (current === undefined) return;
    const { file, parts } = current;
    current = undefined;
    const [, hash] = /^documents\/[0-9a-f]{2}\/([0-9a-f]{64})\.pdf$/.exec(file) ?? [];
    if (hash === undefined) throw new BackupFault(`The backup has a file outside its folder: ${file}`);
    await place.put(hash, Buffer.concat(parts));
  };
  return {
    finish,
    write: async (file, data) => {
      if (current?.file !== file) {
        await finish();
        current = { file, parts: [] };
      }
      current.parts.push(data);
    },
  };
}
