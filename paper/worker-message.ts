import { z } from 'zod';

const rssBytes = z.number();

/** Messages from a render worker to its parent: that it is ready, then the result of each document with the memory in use. */
export const workerMessage = z.union([
  z.literal('ready'),
  z.object({ pdf: z.custom<Uint8Array>((value) => value instanceof Uint8Array), rssBytes }),
  z.object({ fault: z.string(), rssBytes }),
]);

export type WorkerMessage = z.output<typeof workerMessage>;
