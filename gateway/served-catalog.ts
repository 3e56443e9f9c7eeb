import type { Catalog, CatalogFiles, Product } from '#catalog/catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { readVersion } from '#catalog/read-version.ts';
import {
  newestCatalogVersion,
  pendingCatalogVersion,
  readCatalogVersion,
  recordFirstCatalog,
} from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { readUpstreamOptions, type UpstreamOptions } from '#gateway/upstream/upstream-options.ts';
import type { ConfigSource } from '#shared/platform/read-config.ts';
import { readSandboxes, readUpstreams, secretPlaces } from './config.ts';

/** A version of the catalogue with everything that a gateway needs to serve it. */
export interface ServedCatalog {
  version: number;
  catalog: Catalog;
  /** The OpenAPI documents that are among its files, by product id. */
  documents: ReadonlyMap<string, Buffer>;
  /** The upstream address of each product, by its id. */
  upstreams: ReadonlyMap<string, string>;
  /** The sandbox address of each product that has one, by its id. */
  sandboxes: ReadonlyMap<string, string>;
  /** The options of each product, by its id. */
  upstreamOptions: ReadonlyMap<string, UpstreamOptions>;
}

/** Products whose calls are refused until what they lack is there. */
export function productsNotSetUp({ catalog, upstreamOptions }: ServedCatalog): Product[] {
  return catalog.products.filter(({ id }) => (upstreamOptions.get(id)?.faults.length ?? 0) > 0);
}

/** Versions of the catalogue in the database. */
export interface CatalogVersions {
  /** The number of the version in effect. */
  newest: () => Promise<number>;
  /** One that is not in effect yet, and is to be prepared now. */
  pending: () => Promise<number | undefined>;
  /** Its secrets may be missing: see the faults of its options. */
  load: (version: number) => Promise<ServedCatalog>;
  readOptions: (products: readonly Product[]) => ServedCatalog['upstreamOptions'];
}

/** The OpenAPI documents of products that are among the files of a catalogue. */
export const documentsOf = (products: readonly Product[], files: CatalogFiles): ServedCatalog['documents'] =>
  new Map(
    products.flatMap(({ id, openapi }) => {
      const document = 'file' in openapi ? files.get(openapi.file) : undefined;
      return document === undefined ? [] : [[id, document] as const];
    }),
  );

/** `folder` has the catalogue of the very first start. */
export function openCatalogVersions(db: Db, folder: string, source: ConfigSource): CatalogVersions {
  const readOptions: CatalogVersions['readOptions'] = (products) => readUpstreamOptions(products, secretPlaces(source));
  return {
    readOptions,
    newest: async () =>
      (await newestCatalogVersion(db)) ??
      recordFirstCatalog(db, await SoundFiles.in(folder), { author: 'gateway', reason: 'First start' }),
    pending: () => pendingCatalogVersion(db),
    load: async (version) => {
      const files = await readCatalogVersion(db, version);
      const catalog = await readVersion(version, files);
      return {
        version,
        catalog,
        documents: documentsOf(catalog.products, files),
        upstreams: readUpstreams(catalog, source),
        sandboxes: readSandboxes(catalog, source),
        upstreamOptions: readOptions(catalog.products),
      };
    },
  };
}
