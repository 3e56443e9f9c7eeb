import { z } from 'zod';
import { draftProduct } from '#catalog/draft-product.ts';
import type { ImportChoices } from '#catalog/import-openapi.ts';
import { ImportFault } from '#catalog/read-openapi.ts';

/** Drafts one product in a process of its own (draft.ts). */
process.once('message', (task) => {
  const { document, choices } = z.object({ document: z.string(), choices: z.custom<ImportChoices>() }).parse(task);
  try {
    process.send?.({ draft: draftProduct(document, choices) });
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    process.send?.({ fault: error.message });
  }
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
