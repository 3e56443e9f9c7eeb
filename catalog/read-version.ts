import { z } from 'zod';
import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { type Catalog, CatalogFaults, type CatalogFiles, catalogOf, catalogWith } from './catalog.ts';

/** What this many bytes take to read delays no call noticeably; a document of 32 MB takes seconds. */
export const maxBytesHere = 512 * 1024;

/** A catalogue without its look-ups. */
export type SentCatalog = Pick<Catalog, 'products' | 'guides'>;

const worker = {
  program: builtProgram('catalog-worker'),
  answer: z.union([z.object({ catalog: z.custom<SentCatalog>() }), z.object({ faults: z.array(z.string()) })]),
  timeoutMs: 50_000,
  maxMemoryMb: 1024,
};

/**
 * The catalogue of these files, checked; throws CatalogFaults. Large documents are read in a process of their own, while this one serves its
 * customers and keeps nothing of them.
 */
export async function readSomewhere(files: CatalogFiles): Promise<Catalog> {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes <= maxBytesHere) return catalogOf(files);
  const answer = await askProcess(worker, { files: new Map(files) });
  if ('faults' in answer) throw new CatalogFaults(answer.faults);
  return catalogWith(answer.catalog.products, answer.catalog.guides);
}

/**
 * The catalogue of the version that is on sale. Rules may have become stricter since it was stored; CatalogFaults then say how to put
 * another one in its place.
 */
export async function readVersion(version: number, files: CatalogFiles): Promise<Catalog> {
  try {
    return await readSomewhere(files);
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    throw new CatalogFaults(
      error.faults,
      `Version ${version} of the catalogue, which is on sale, can't be read by this version of Octroi. Write its files into a folder with ` +
        `\`octroi catalog show ${version} --to FOLDER\`, correct them, and put them on sale with \`octroi catalog apply --folder FOLDER --reason …\`:`,
    );
  }
}
