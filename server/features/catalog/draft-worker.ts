import { z } from 'zod';
import { type DraftedProduct, draftProduct, operationsOf } from '#catalog/draft-product.ts';
import type { ImportChoices } from '#catalog/import-openapi.ts';
import { ImportFault, readOpenApi } from '#catalog/read-openapi.ts';
import { applyCatalog } from '#shared/contract/operator/catalog.ts';
import { answerTask } from '#shared/platform/ask-process.ts';
import { tooLarge } from './too-large.ts';

const taskSchema = z.object({
  document: z.string(),
  choices: z.custom<ImportChoices>(),
  onSale: z.record(z.string(), z.string()),
  documents: z.record(z.string(), z.string()),
});

/** Drafts one product in a process of its own (draft.ts). */
answerTask((task) => answerTo(taskSchema.parse(task)));

function answerTo({ document, choices, onSale, documents }: z.output<typeof taskSchema>): object {
  try {
    const draft = draftProduct(document, choices, onSale);
    // Aliases and base64 make it grow; what applyCatalog would refuse is no use.
    const chars = draft.files.reduce((sum, { content }) => sum + content.length, 0);
    return chars > applyCatalog.maxBytes - 100_000
      ? { fault: tooLarge }
      : { draft, compared: comparedWith(documents[draft.id], draft) };
  } catch (error) {
    if (error instanceof ImportFault) return { fault: error.message };
    // A text that is too long, or nesting that is too deep.
    if (error instanceof RangeError) return { fault: tooLarge };
    throw error;
  }
}

/** What it sells otherwise than the document so far. */
function comparedWith(sold: string | undefined, { operations }: DraftedProduct) {
  if (sold === undefined) return null;
  const before = operationsOf(readOpenApi(sold));
  const without = (some: typeof before, others: typeof before) => {
    const known = new Set(others.map(({ method, path }) => `${method} ${path}`));
    return some.filter(({ method, path }) => !known.has(`${method} ${path}`));
  };
  return { added: without(operations, before), gone: without(before, operations) };
}
