import type { Catalog, CatalogFiles } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import type { Db } from '#shared/database/connect.ts';
import type { GatewayDeps } from '#gateway/gateway.ts';
import { secretPlaces } from '#gateway/config.ts';
import { documentsOf, openCatalogVersions } from '#gateway/served-catalog.ts';
import { readUpstreamOptions } from '#gateway/upstream/upstream-options.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

export interface TestCatalogOptions {
  env?: Record<string, string>;
  /** By product id, for products with another upstream than `upstream`. */
  upstreams?: ReadonlyMap<string, string>;
  /** Upstream of test keys; by default the same as for other calls. */
  sandbox?: string;
  catalog?: Catalog;
  /** Its files, if it has OpenAPI documents. */
  files?: CatalogFiles;
  /** Serves the catalogue in the database, with its own addresses, and follows it; these files are its first version. */
  catalogFolder?: string;
}

/** The catalogue of a test gateway: one that never changes, with `upstream` for all products, or that of the database. */
export async function catalogFor(
  db: Db,
  {
    catalogFolder,
    env = {},
    upstreams,
    sandbox,
    catalog = readCatalog(projectFolder('ship', 'standins', 'catalog')),
    files = new Map(),
  }: TestCatalogOptions,
  upstream: string,
): Promise<Pick<GatewayDeps, 'served' | 'versions'>> {
  if (catalogFolder !== undefined) {
    const versions = openCatalogVersions(db, catalogFolder, { env });
    return { versions, served: await versions.load(await versions.newest()) };
  }
  const { products } = catalog;
  const served = {
    version: 0,
    catalog,
    documents: documentsOf(products, files),
    upstreams: new Map(products.map(({ id }) => [id, upstreams?.get(id) ?? upstream])),
    sandboxes: new Map(products.map(({ id }) => [id, sandbox ?? upstreams?.get(id) ?? upstream])),
    upstreamOptions: readUpstreamOptions(products, secretPlaces({ env })),
  };
  return { served };
}
