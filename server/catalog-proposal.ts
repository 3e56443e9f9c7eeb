import { type Catalog, CatalogFaults } from '#catalog/catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { type CatalogChange, compareCatalogs } from '#catalog/compare-catalogs.ts';
import { compareRenewals, type RenewingPlan } from '#catalog/renewal-changes.ts';
import { comparePrices, type PriceChange, priceText } from '#catalog/prices.ts';
import { readSomewhere } from '#catalog/read-version.ts';
import {
  type CatalogFiles,
  catalogHash,
  listCatalogVersions,
  newestCatalogVersion,
  readCatalogVersion,
} from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { withoutAddresses } from '#shared/domain/without-addresses.ts';

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
  return propose(db, await SoundFiles.in(folder));
}

/** The changes that these files would make. */
export async function propose(db: Db, files: SoundFiles): Promise<CatalogProposal> {
  const before = await newestCatalogVersion(db);
  const old = before === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, before);
  const prices = comparePrices(old, files);
  const isSame = catalogHash(old) === catalogHash(files);
  const compared = { files, before, isSame, prices };
  if (isSame) return { ...compared, changes: [], unreadable: [] };
  try {
    const [sold, next] = [await catalogBefore(old), files.catalog];
    const changes = [
      ...compareCatalogs(sold, next, await countCustomers(db)),
      ...compareRenewals(sold, next, await selectRenewing(db)),
    ];
    return { ...compared, changes, unreadable: [] };
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    const affects = 'Unknown: the version in effect can be compared by its prices alone.';
    const changes = prices.map((each) => ({ product: each.product, change: priceText(each), affects }));
    return { ...compared, changes, unreadable: error.faults };
  }
}

/** Customers of each product, by its id. */
async function countCustomers(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('activations')
    .select(['service_id', countRows().as('customers')])
    .where('deleted_at', 'is', null)
    .groupBy('service_id')
    .execute();
  return new Map(rows.map(({ service_id: id, customers }) => [id, customers]));
}

/** Plans that renew by mandate, also while their customer has paused that. */
function selectRenewing(db: Db): Promise<RenewingPlan[]> {
  return db
    .selectFrom('mandates')
    .innerJoin('activations', 'activations.id', 'mandates.activation_id')
    .innerJoin('customers', 'customers.id', 'mandates.customer_id')
    .select((row) => row.fn<string>('lower', ['customers.email']).as('email'))
    .select(['activations.service_id as serviceId', 'mandates.plan_id as planId'])
    .select('mandates.ceiling_paise as ceilingPaise')
    .where('mandates.state', 'in', ['IN_FORCE', 'PAUSED'])
    .orderBy('activations.service_id')
    .orderBy('mandates.plan_id')
    .execute();
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

/** Without any files, an empty catalogue. */
const catalogBefore = async (files: CatalogFiles): Promise<Catalog> =>
  files.size === 0 ? { products: [], guides: [], find: () => undefined } : readSomewhere(files);
