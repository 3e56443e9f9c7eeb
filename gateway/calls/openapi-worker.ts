import { z } from 'zod';
import { answerTask } from '#shared/platform/ask-process.ts';
import { type DocumentTask, shownDocument } from './shown-document.ts';

const taskSchema = z.custom<DocumentTask>();

/** Reads one OpenAPI document in a process of its own (product-openapi.ts). */
answerTask(async (task) => {
  try {
    return { shown: await shownDocument(taskSchema.parse(task)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
});
