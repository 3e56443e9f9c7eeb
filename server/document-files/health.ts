import type { Db } from '#shared/database/connect.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { type DocumentFiles, openDocumentFiles, storedPdfColumns } from './document-files.ts';
import { type DocumentPlaceSettings, inDatabase } from './settings.ts';

export interface DocumentFilesHealth {
  /** False when PDFs can't be written to their place, or an existing one can't be read. */
  ok: boolean;
  place: 'database' | 'folder' | 'store';
  /** PDFs that this process could not read. */
  unreadable: number;
}

/** Health is asked for often, and a store wants money for each request. */
const freshMs = 60_000;
/** PDFs that are tried again at once. */
const maxTried = 10;

interface Surroundings {
  db: Db;
  log: Log;
  now: Clock;
}

/** What a portal has of them. */
export function documentFilesFor(settings: DocumentPlaceSettings, around: Surroundings) {
  const documentFiles = openDocumentFiles(settings, around.log);
  return { documentFiles, documentFilesHealth: watchDocumentFiles(documentFiles, around) };
}

/**
 * For /backend/health: can this portal write to the place of the PDFs, and read the newest one there? A portal that doesn't share the folder
 * of the others can't. PDFs that could not be read are tried again, so that the alarm ends once they are back.
 */
function watchDocumentFiles(files: DocumentFiles, { db, log, now }: Surroundings): () => Promise<DocumentFilesHealth> {
  let last: { at: number; health: Promise<DocumentFilesHealth> } | undefined;
  const place = files.place === inDatabase ? 'database' : isAddress(files.place) ? 'store' : 'folder';
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      log.error({ err: error, place: files.place }, what);
      return false;
    }
  };
  // Each write to a store that keeps versions stays for good, so it is tried at the start, and after a failure.
  let triedAt: number | undefined;
  const tryPlace = async (): Promise<void> => {
    const failures = files.failedWrites();
    const opened = files.open(files.place);
    if (place === 'store' && triedAt === failures) return opened.reach();
    triedAt = undefined;
    await opened.probe();
    triedAt = failures;
  };
  const look = async (): Promise<DocumentFilesHealth> => {
    const newest = await db
      .selectFrom('document_files')
      .select(storedPdfColumns)
      .where('place', 'is not', null)
      .orderBy('made_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const tried = [...files.unreadable().values()].slice(0, maxTried);
    // At the same time: a store that doesn't respond keeps each of them waiting.
    const [canWrite] = await Promise.all([
      place === 'database' || attempt('PDFs of documents can’t be written to DOCUMENTS_PLACE', tryPlace),
      ...(newest === undefined ? tried : [newest, ...tried]).map((stored) =>
        attempt('THE PDF OF A DOCUMENT CAN’T BE READ: octroi verify-ledger names its number', () => files.read(stored)),
      ),
    ]);
    const unreadable = files.unreadable().size;
    return { ok: canWrite && unreadable === 0, place, unreadable };
  };
  return () => {
    if (last === undefined || now() - last.at >= freshMs || now() < last.at) {
      last = { at: now(), health: look() };
      last.health.catch(() => (last = undefined));
    }
    return last.health;
  };
}
