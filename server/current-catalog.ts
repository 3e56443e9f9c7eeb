import { type Catalog, CatalogFaults } from '#catalog/catalog.ts';
import { readCatalog, SoundFiles } from '#catalog/catalog-files.ts';
import { readVersion } from '#catalog/read-version.ts';
import {
  holdCatalogVersion,
  newestCatalogVersion,
  readCatalogVersion,
  recordFirstCatalog,
} from '#shared/database/catalog-versions.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Log } from '#shared/platform/log.ts';
import { differenceOf } from './catalog-proposal.ts';

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

/** Follows the catalogue in the database. There must be a version. */
export async function followCatalog(db: Db, log: Pick<Log, 'info' | 'error'>): Promise<CurrentCatalog> {
  let current = await load(await requireVersion(db));
  let failed = 0;

  async function load(version: number) {
    return { version, catalog: await readVersion(version, await readCatalogVersion(db, version)) };
  }

  const followOnce = async (): Promise<void> => {
    const newest = await requireVersion(db);
    if (newest === current.version || newest === failed) return;
    try {
      const next = await load(newest);
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
      await following?.catch(() => undefined);
    },
  };
}

/** The catalogue in effect, for a program that runs for a moment; before the first start, that of the folder. */
export async function readCurrentCatalog(db: Db, folder: string): Promise<Catalog> {
  const version = await newestCatalogVersion(db);
  return version === undefined ? readCatalog(folder) : readVersion(version, await readCatalogVersion(db, version));
}

async function requireVersion(db: Db): Promise<number> {
  const version = await newestCatalogVersion(db);
  if (version === undefined) throw new Error('There is no catalogue in the database. Start the portal once.');
  return version;
}

/**
 * At the start of a portal. The files of the very first start become version 1; from then on a start never changes what is on sale, and
 * files that differ are a warning (decision 040). Throws CatalogFaults when there is no version yet.
 */
export async function recordFilesAtStart(
  db: Db,
  folder: string,
  log: { warn: (about: { folder: string; changes: string[] }, sentence: string) => void },
): Promise<void> {
  if ((await newestCatalogVersion(db)) === undefined)
    await recordFirstCatalog(db, await SoundFiles.in(folder), { author: 'portal', reason: 'First start' });
  const difference = await differenceOf(db, folder);
  if (difference !== undefined) log.warn({ folder, changes: difference.changes }, difference.sentence);
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
