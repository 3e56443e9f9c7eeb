import { z } from 'zod';
import { type DocumentTask, shownDocument } from './shown-document.ts';

const taskSchema = z.custom<DocumentTask>();

/** Reads one OpenAPI document in a process of its own (product-openapi.ts). */
process.once('message', (task) => {
  void answerTo(taskSchema.parse(task));
});

async function answerTo(task: DocumentTask): Promise<void> {
  try {
    process.send?.({ shown: await shownDocument(task) });
  } catch (error) {
    process.send?.({ fault: error instanceof Error ? error.message : String(error) });
  }
}
process.once('disconnect', () => process.exit());
process.send?.('ready');
