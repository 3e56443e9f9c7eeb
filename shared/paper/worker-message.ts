import { z } from 'zod';

/**
 * A task for a render worker: render `data`, a `DocumentPaper` as JSON, or pass it to the function `prepare` of `program`, the URL
 * of a module. That way the work before a render can run in a worker too.
 */
export const workerTask = z.object({ data: z.string(), program: z.string().optional() });

export type WorkerTask = z.output<typeof workerTask>;

/** The export of a program for render workers; its function returns plain data. */
export const preparingProgram = z.object({
  prepare: z.custom<(data: string) => unknown>((value) => typeof value === 'function'),
});

const rssBytes = z.number();

/** Messages from a render worker to its parent: that it is ready, then the result of each task with the memory in use. */
export const workerMessage = z.union([
  z.literal('ready'),
  z.object({ pdf: z.custom<Uint8Array>((value) => value instanceof Uint8Array), rssBytes }),
  z.object({ fault: z.string(), rssBytes }),
  z.object({ prepared: z.unknown(), rssBytes }),
]);

export type WorkerMessage = z.output<typeof workerMessage>;
