import { type Catalog, CatalogFaults } from '#catalog/catalog.ts';
import { readCatalogFiles, unpackCatalog, type UnpackedCatalog } from '#catalog/catalog-files.ts';
import {
  applyCatalog,
  type CatalogFiles,
  catalogHash,
  holdCatalogVersion,
  listCatalogVersions,
  newestCatalogVersion,
  readCatalogVersion,
  recordFirstCatalog,
  UnfitCatalog,
} from '#database/catalog-versions.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Log } from '#platform/log.ts';

/** The catalogue in effect, as this process has it. */
export interface CurrentCatalog {
  catalog: () => Catalog;
  version: () => number;
  /** Reads the newest version if it is not the one in use. */
  follow: () => Promise<void>;
  stop: () => Promise<void>;
}

/** How often the database is polled. */
const followMs = 500;
const atStart = { author: 'portal', reason: 'Files of the catalogue at the start' };

/** Follows the catalogue in the database. There must be a version. */
export async function followCatalog(db: Db, log: Pick<Log, 'info' | 'error'>): Promise<CurrentCatalog> {
  let current: { version: number } & UnpackedCatalog = await load(await requireVersion(db));
  let before: UnpackedCatalog | undefined;
  let failed = 0;

  async function load(version: number) {
    return { version, ...unpackCatalog(await readCatalogVersion(db, version)) };
  }

  const followOnce = async (): Promise<void> => {
    const newest = await requireVersion(db);
    if (newest === current.version || newest === failed) return;
    try {
      const next = await load(newest);
      // A call under way may still read a file of the version before.
      before?.remove();
      before = current;
      log.info({ version: newest, before: current.version }, 'the catalogue has changed');
      current = next;
    } catch (error) {
      if (!(error instanceof CatalogFaults)) throw error;
      failed = newest;
      log.error({ version: newest, err: error }, 'this portal cannot read a version of the catalogue');
    }
  };
  let following: Promise<void> | undefined;
  const follow = (): Promise<void> => (following ??= followOnce().finally(() => (following = undefined)));

  const timer = setInterval(() => void follow().catch(() => undefined), followMs);
  timer.unref();
  return {
    catalog: () => current.catalog,
    version: () => current.version,
    follow,
    stop: async () => {
      clearInterval(timer);
      // It may be writing another folder.
      await following?.catch(() => undefined);
      before?.remove();
      current.remove();
    },
  };
}

/** The catalogue in effect, for a program that runs for a moment; before the first start, that of the folder. */
export async function readCurrentCatalog(db: Db, folder: string): Promise<UnpackedCatalog> {
  const version = await newestCatalogVersion(db);
  return unpackCatalog(version === undefined ? readCatalogFiles(folder) : await readCatalogVersion(db, version));
}

async function requireVersion(db: Db): Promise<number> {
  const version = await newestCatalogVersion(db);
  if (version === undefined) throw new Error('There is no catalogue in the database. Start the portal once.');
  return version;
}

/**
 * At the start of a portal: files that no version ever had become the newest version (decision 040). Files of an older version
 * stay older, and files with faults change nothing; the log says so. Throws CatalogFaults when there is no version yet.
 */
export async function recordFilesAtStart(
  db: Db,
  folder: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<void> {
  const newest = await newestCatalogVersion(db);
  if (newest === undefined) {
    await recordFirstCatalog(db, readSoundFiles(folder), { ...atStart, reason: 'First start' });
    return;
  }
  try {
    const files = readSoundFiles(folder);
    const hash = catalogHash(files);
    const same = (await listCatalogVersions(db)).filter(({ sha256 }) => sha256 === hash);
    if (same.some(({ version }) => version === newest)) return;
    const [older] = same;
    if (older !== undefined) {
      log.warn(
        { folder, filesAreVersion: older.version, version: newest },
        'the files of the catalogue are older than the version in effect, which stays; apply them with `octroi catalog apply`',
      );
      return;
    }
    const { version } = await applyCatalog({ db, log }, files, atStart);
    log.info({ folder, version }, 'the files of the catalogue have changed and are in effect as a new version');
  } catch (error) {
    if (!(error instanceof CatalogFaults || error instanceof UnfitCatalog)) throw error;
    log.error(
      { folder, version: newest, err: error },
      'the files of the catalogue have faults or cannot be read, so they are not in effect: the version before stays',
    );
  }
}

function readSoundFiles(folder: string): CatalogFiles {
  const files = readCatalogFiles(folder);
  unpackCatalog(files).remove();
  return files;
}

/**
 * The catalogue for a sale: the version in effect, which stays so until the end of the transaction. So nothing is sold that is no
 * longer for sale.
 */
export async function catalogForSale(
  portal: { readonly catalog: Catalog; currentCatalog?: CurrentCatalog },
  tx: Tx,
): Promise<Catalog> {
  const { currentCatalog } = portal;
  if (currentCatalog === undefined) return portal.catalog;
  const version = await holdCatalogVersion(tx);
  if (version !== currentCatalog.version()) await currentCatalog.follow();
  if (version !== currentCatalog.version()) throw new Error('This portal cannot read the catalogue in effect.');
  return currentCatalog.catalog();
}
