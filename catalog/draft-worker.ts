import { z } from 'zod';
import { answerTask } from '#shared/platform/ask-process.ts';
import { isProductFile } from './catalog.ts';
import type { ComparedOperations, DraftAnswer, DraftTask } from './draft-elsewhere.ts';
import { type DraftedProduct, draftProduct, operationsOf } from './draft-product.ts';
import { ImportFault, readOpenApi } from './read-openapi.ts';

const taskSchema = z.custom<DraftTask>();

/** Drafts one product in a process of its own (draft-elsewhere.ts). */
answerTask((task) => answerTo(taskSchema.parse(task)));

function answerTo({ document, choices, files, maxChars }: DraftTask): DraftAnswer {
  const onSale = [...files].filter(([path]) => isProductFile(path)).map(([path, file]) => [path, file.toString()]);
  try {
    const draft = draftProduct(document, choices, Object.fromEntries(onSale));
    // Aliases and base64 make it grow.
    const chars = draft.files.reduce((sum, { content }) => sum + content.length, 0);
    if (chars > maxChars) return { tooLarge: true };
    const [, documentFile] = draft.files;
    const sold = draft.isReplacement && documentFile !== undefined ? files.get(documentFile.path) : undefined;
    return { draft, compared: sold === undefined ? null : comparedWith(sold.toString(), draft) };
  } catch (error) {
    if (error instanceof ImportFault) return { fault: error.message };
    // A text that is too long, or nesting that is too deep.
    if (error instanceof RangeError) return { tooLarge: true };
    throw error;
  }
}

/** What it sells otherwise than the document so far. */
function comparedWith(sold: string, { operations }: DraftedProduct): ComparedOperations {
  const before = operationsOf(readOpenApi(sold));
  const without = (some: typeof before, others: typeof before) => {
    const known = new Set(others.map(({ method, path }) => `${method} ${path}`));
    return some.filter(({ method, path }) => !known.has(`${method} ${path}`));
  };
  return { added: without(operations, before), gone: without(before, operations) };
}
