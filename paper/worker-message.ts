import { z } from 'zod';

/**
 * What a render worker is asked for: to render `data`, a `DocumentPaper` as JSON, or to give it to the function
 * `prepare` of a program, the address of a module. So whatever goes before a render can run in a worker too.
 */
export const workerTask = z.object({ data: z.string(), program: z.string().optional() });

export type WorkerTask = z.output<typeof workerTask>;

/** What a program exports for render workers. It returns plain data. */
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
