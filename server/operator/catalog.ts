import type { Catalog } from '#catalog/catalog.ts';
import { readCatalogFiles, unpackCatalog } from '#catalog/catalog-files.ts';
import { type CatalogChange, compareCatalogs } from '#catalog/compare-catalogs.ts';
import {
  type AppliedCatalog,
  applyCatalog,
  type CatalogFiles,
  catalogHash,
  type CatalogVersion,
  listCatalogVersions,
  newestCatalogVersion,
  readCatalogVersion,
} from '#database/catalog-versions.ts';
import type { Db } from '#database/connect.ts';
import { withCleanUp } from '#platform/clean-up.ts';
import type { Log } from '#platform/log.ts';
import { withoutAddresses } from '#domain/without-addresses.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { OperatorRefusal } from './refusal.ts';

/** Files that could become the next version of the catalogue, compared with the version in effect. */
export interface CatalogProposal {
  files: CatalogFiles;
  /** The version in effect; undefined before the first start. */
  before: number | undefined;
  /** Not even a comment differs. */
  isSame: boolean;
  changes: CatalogChange[];
}

/** The changes that a folder would make. Throws CatalogFaults. */
export async function proposeFolder(db: Db, folder: string): Promise<CatalogProposal> {
  return propose(db, readCatalogFiles(folder));
}

/** The changes that going back to an earlier version would make. */
export async function proposeVersion(db: Db, version: number): Promise<CatalogProposal> {
  return propose(db, await requireFiles(db, version));
}

async function propose(db: Db, files: CatalogFiles): Promise<CatalogProposal> {
  const before = await newestCatalogVersion(db);
  const old = before === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, before);
  return {
    files,
    before,
    isSame: catalogHash(old) === catalogHash(files),
    changes: await withCatalogs([old, files], ([from, to]) => (from && to ? compareCatalogs(from, to) : [])),
  };
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

/** Puts a proposal into effect in the portals and gateways, without a restart. */
export async function applyProposal(
  context: { db: Db; log: Pick<Log, 'error'> },
  { files, before, changes }: CatalogProposal,
  { actor, reason }: OperatorCause,
): Promise<AppliedCatalog> {
  return applyCatalog(context, files, { author: actor, reason }, async ({ tx }, version) => {
    if ((await previousVersion(tx, version)) !== before)
      throw new OperatorRefusal('The catalogue was changed meanwhile, so nothing was applied. Compare again.');
    // The addresses of a private plan stand in the version.
    const kept = changes.map((each) => ({ ...each, change: withoutAddresses(each.change) }));
    const effect = { version, before: before ?? null, changes: kept };
    await recordAction(tx, {
      actor,
      reason,
      action: 'catalog.apply',
      target: String(version),
      customerId: null,
      effect,
    });
  });
}

const previousVersion = async (db: Parameters<typeof listCatalogVersions>[0], version: number) =>
  (await listCatalogVersions(db)).find((each) => each.version < version && each.activeFrom !== null)?.version;

/** All versions, newest first. */
export const readHistory = (db: Db): Promise<CatalogVersion[]> => listCatalogVersions(db);

/** A version with the names and sizes of its files. */
export async function readVersion(db: Db, version: number): Promise<CatalogVersion & { files: CatalogFiles }> {
  const files = await requireFiles(db, version);
  const described = (await listCatalogVersions(db)).find((each) => each.version === version);
  if (described === undefined) throw new OperatorRefusal(`There is no version ${version} of the catalogue.`);
  return { ...described, files };
}

async function requireFiles(db: Db, version: number): Promise<CatalogFiles> {
  const files = await readCatalogVersion(db, version);
  if (files.size === 0) throw new OperatorRefusal(`There is no version ${version} of the catalogue.`);
  return files;
}
