import { type Catalog, CatalogFaults } from '#catalog/catalog.ts';
import { SoundFiles, unpackCatalog } from '#catalog/catalog-files.ts';
import { type CatalogChange, compareCatalogs } from '#catalog/compare-catalogs.ts';
import { comparePrices, type PriceChange, priceText } from '#catalog/prices.ts';
import {
  type CatalogFiles,
  catalogHash,
  listCatalogVersions,
  newestCatalogVersion,
  readCatalogVersion,
} from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { withoutAddresses } from '#shared/domain/without-addresses.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';

/** Files that could become the next version of the catalogue, compared with the version in effect. */
export interface CatalogProposal {
  files: SoundFiles;
  /** The version in effect; undefined before the first start. */
  before: number | undefined;
  /** Not even a comment differs. */
  isSame: boolean;
  changes: CatalogChange[];
  prices: PriceChange[];
  /** Why this version of Octroi can't read the version in effect: then only prices are compared. */
  unreadable: readonly string[];
}

/** The changes that a folder would make. Throws CatalogFaults. */
export async function proposeFolder(db: Db, folder: string): Promise<CatalogProposal> {
  return propose(db, SoundFiles.in(folder));
}

/** The changes that these files would make. */
export async function propose(db: Db, files: SoundFiles): Promise<CatalogProposal> {
  const before = await newestCatalogVersion(db);
  const old = before === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, before);
  const prices = comparePrices(old, files);
  const compared = { files, before, isSame: catalogHash(old) === catalogHash(files), prices };
  try {
    const changes = await withCatalogs([old, files], ([from, to]) => (from && to ? compareCatalogs(from, to) : []));
    return { ...compared, changes, unreadable: [] };
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    const affects = 'Unknown: the version in effect can be compared by its prices alone.';
    const changes = prices.map((each) => ({ product: each.product, change: priceText(each), affects }));
    return { ...compared, changes, unreadable: error.faults };
  }
}

/** How the files of a folder differ from what is on sale, as a warning; undefined if they don't. */
export async function differenceOf(
  db: Db,
  folder: string,
): Promise<{ sentence: string; changes: string[] } | undefined> {
  const onSale = await newestCatalogVersion(db);
  if (onSale === undefined) return undefined;
  try {
    const { isSame, changes, files } = await proposeFolder(db, folder);
    if (isSame) return undefined;
    const hash = catalogHash(files);
    const earlier = (await listCatalogVersions(db)).find(({ sha256 }) => sha256 === hash);
    const which = earlier === undefined ? 'differ from' : `are those of version ${earlier.version}, not of`;
    return {
      sentence:
        `The files of the catalogue in ${folder} ${which} version ${onSale}, which stays on sale. ` +
        '`octroi catalog diff` shows what differs, `octroi catalog apply` puts the files on sale.',
      changes: changes.map(({ product, change }) => `${product}: ${withoutAddresses(change)}`),
    };
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    return {
      sentence:
        `The files of the catalogue in ${folder} have faults, which \`octroi catalog check\` lists. ` +
        `Version ${onSale} stays on sale.`,
      changes: [],
    };
  }
}

/** Products of files that are there; without any, an empty catalogue. */
async function withCatalogs<Result>(
  versions: readonly CatalogFiles[],
  work: (catalogs: Catalog[]) => Result,
): Promise<Result> {
  const none: Catalog = { products: [], find: () => undefined };
  const removals: (() => void)[] = [];
  const unpack = (files: CatalogFiles): Catalog => {
    if (files.size === 0) return none;
    const { catalog, remove } = unpackCatalog(files);
    removals.push(remove);
    return catalog;
  };
  return withCleanUp(
    async () => work(versions.map(unpack)),
    () => {
      for (const remove of removals) remove();
    },
  );
}
