import { z } from 'zod';
import { CatalogFaults, type CatalogFiles } from '#catalog/catalog.ts';
import { catalogOfVersion } from '#catalog/catalog-files.ts';
import { withoutContent } from '#gateway/upstream/large-documents.ts';
import { answerTask } from '#shared/platform/ask-process.ts';
import type { SentCatalog } from './read-version.ts';

const taskSchema = z.object({ version: z.number(), files: z.custom<CatalogFiles>() });

/** Reads one version of the catalogue in a process of its own (read-version.ts). */
answerTask((task) => answerTo(taskSchema.parse(task)));

function answerTo({ version, files }: z.output<typeof taskSchema>): { catalog: SentCatalog } | { faults: string[] } {
  try {
    const { products, guides } = catalogOfVersion(version, files);
    return { catalog: { products: products.map(withoutContent), guides } };
  } catch (error) {
    if (error instanceof CatalogFaults) return { faults: [...error.faults] };
    throw error;
  }
}
