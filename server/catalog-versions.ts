import { SoundFiles } from '#catalog/catalog-files.ts';
import {
  type AppliedCatalog,
  applyCatalog,
  type CatalogFiles,
  type CatalogVersion,
  listCatalogVersions,
  readCatalogVersion,
} from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { withoutAddresses } from '#shared/domain/without-addresses.ts';
import type { Log } from '#shared/platform/log.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { type CatalogProposal, propose } from '#server/catalog-proposal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** The changes that going back to an earlier version would make. Throws CatalogFaults where today's rules refuse it. */
export async function proposeVersion(db: Db, version: number): Promise<CatalogProposal> {
  return propose(db, await SoundFiles.of(await requireFiles(db, version)));
}

/** How a version came to be. */
export type CatalogAction = 'catalog.apply' | 'catalog.revert';

export const changedMeanwhile = () =>
  new OperatorRefusal('The catalogue was changed meanwhile, so nothing was applied. Compare again.');

/** Puts a proposal into effect in the portals and gateways, without a restart. */
export async function applyProposal(
  context: { db: Db; log: Pick<Log, 'error'> },
  { files, before, changes, prices }: CatalogProposal,
  { actor, reason }: OperatorCause,
  action: CatalogAction = 'catalog.apply',
): Promise<AppliedCatalog> {
  return applyCatalog(context, files, { author: actor, reason }, async ({ tx }, version) => {
    if ((await previousVersion(tx, version)) !== before) throw changedMeanwhile();
    // The addresses of a private plan stand in the version.
    const kept = changes.map((each) => ({ ...each, change: withoutAddresses(each.change) }));
    const effect = { version, before: before ?? null, changes: kept, prices };
    await recordAction(tx, {
      actor,
      reason,
      action,
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
  if (described === undefined)
    throw new OperatorRefusal(`There is no version ${version} of the catalogue.`, 'not_found');
  return { ...described, files };
}

async function requireFiles(db: Db, version: number): Promise<CatalogFiles> {
  const files = await readCatalogVersion(db, version);
  if (files.size === 0) throw new OperatorRefusal(`There is no version ${version} of the catalogue.`, 'not_found');
  return files;
}
