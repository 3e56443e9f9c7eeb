import { z } from 'zod';
import { answerTask } from '#shared/platform/ask-process.ts';
import { CatalogFaults, type CatalogFiles, catalogOf } from './catalog.ts';
import type { SentCatalog } from './read-version.ts';

const taskSchema = z.object({ files: z.custom<CatalogFiles>() });

/** Reads one catalogue in a process of its own (read-version.ts). */
answerTask((task) => answerTo(taskSchema.parse(task)));

function answerTo({ files }: z.output<typeof taskSchema>): { catalog: SentCatalog } | { faults: string[] } {
  try {
    const { products, guides } = catalogOf(files);
    return { catalog: { products, guides } };
  } catch (error) {
    if (error instanceof CatalogFaults) return { faults: [...error.faults] };
    throw error;
  }
}
