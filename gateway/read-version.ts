import { z } from 'zod';
import { type Catalog, type CatalogFiles, catalogWith } from '#catalog/catalog.ts';
import { catalogOfVersion, faultsOfVersion } from '#catalog/catalog-files.ts';
import { maxBytesHere, withContent } from '#gateway/upstream/large-documents.ts';
import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';

/** A catalogue without its look-ups and its OpenAPI documents, which are among the files. */
export type SentCatalog = Pick<Catalog, 'products' | 'guides'>;

const worker = {
  program: builtProgram('catalog-worker'),
  answer: z.union([z.object({ catalog: z.custom<SentCatalog>() }), z.object({ faults: z.array(z.string()) })]),
  timeoutMs: 50_000,
  maxMemoryMb: 1024,
};

/** The catalogue of a version, checked. A large document takes seconds: a process of its own reads it, while this one serves calls. */
export async function readVersion(version: number, files: CatalogFiles): Promise<Catalog> {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes <= maxBytesHere) return catalogOfVersion(version, files);
  const answer = await askProcess(worker, { version, files: new Map(files) });
  if ('faults' in answer) throw faultsOfVersion(version, answer.faults);
  const { products, guides } = answer.catalog;
  return catalogWith(
    products.map((product) => withContent(product, (file) => files.get(file) ?? Buffer.alloc(0))),
    guides,
  );
}
