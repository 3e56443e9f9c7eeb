import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { maxQuery } from '#shared/contract/public-pages.ts';

/** A page that everybody may see, as it was found. */
export const pageHitSchema = z.object({
  /** Its address without the language. */
  path: z.string(),
  kind: z.string(),
  title: z.string(),
  /** Where the words stand, or what the page is about. */
  text: z.string(),
});

export const searchPages = defineCall({
  name: 'searchPages',
  summary: 'Find APIs, operations, errors, plans and guides',
  method: 'GET',
  path: '/search',
  auth: 'session',
  query: z.object({ q: z.string().max(maxQuery), language: z.enum(['en', 'hi']) }),
  reply: z.object({ pages: z.array(pageHitSchema) }),
  refusals: ['too_many_requests'],
});
