import { z } from 'zod';

/** Part of the input of a list that may be long, newest first. */
export const pageInput = {
  /** `next` of the page before; the first page without it. */
  after: z.string().max(120).optional(),
  limit: z.int().min(1).max(1000).default(50),
};

/** Where the next page begins; null on the last one. */
export const nextSchema = z.string().nullable();
