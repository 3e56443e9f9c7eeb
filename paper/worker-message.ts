import { z } from 'zod';

const rssBytes = z.number();

/** What a render worker tells its parent: that it is ready, and then the outcome of each document with the memory it holds. */
export const workerMessage = z.union([
  z.literal('ready'),
  z.object({ pdf: z.custom<Uint8Array>((value) => value instanceof Uint8Array), rssBytes }),
  z.object({ fault: z.string(), rssBytes }),
]);

export type WorkerMessage = z.output<typeof workerMessage>;
