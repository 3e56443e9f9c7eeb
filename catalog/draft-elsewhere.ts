import { z } from 'zod';
import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { ProcessFault } from '#shared/platform/worker-program.ts';
import type { CatalogFiles } from './catalog.ts';
import type { DraftChoices, DraftedProduct } from './draft-product.ts';

export interface DraftTask {
  /** JSON or YAML. */
  document: string;
  choices: DraftChoices;
  /** The product files that are on sale; with their OpenAPI documents, the draft is compared with the one that it replaces. */
  files: CatalogFiles;
  /** How long its files may be. */
  maxChars: number;
}

export interface ComparedOperations {
  added: DraftedProduct['operations'];
  gone: DraftedProduct['operations'];
}

/** A draft, why there is none, or that the document needs more than it may. */
export type DraftAnswer =
  | { draft: DraftedProduct; compared: ComparedOperations | null }
  | { fault: string }
  | { tooLarge: true };

/** A product from a stranger's OpenAPI document, drafted in a process of its own: some take seconds, or all memory that there is. */
export async function draftElsewhere(
  task: DraftTask,
  limits: { timeoutMs: number; maxMemoryMb: number },
): Promise<DraftAnswer> {
  try {
    const worker = { program: builtProgram('draft-worker'), answer: z.custom<DraftAnswer>() };
    return await askProcess({ ...worker, ...limits }, task);
  } catch (error) {
    if (error instanceof ProcessFault && error.reason === 'too_much') return { tooLarge: true };
    throw error;
  }
}
