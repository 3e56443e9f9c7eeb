import { z } from 'zod';
import { badRequest } from '#ship/standins/razorpay/errors.ts';

const pageSchema = z.object({
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  count: z.coerce.number().int().min(1).max(100).default(10),
  skip: z.coerce.number().int().min(0).default(0),
});

/** Razorpay's list rules: newest first, `from` and `to` in seconds, `count` of 10 by default. */
export function page<Item extends { created_at: number }>(items: Iterable<Item>, query: unknown): Item[] {
  const parsed = pageSchema.safeParse(query);
  if (!parsed.success) throw badRequest(`The ${parsed.error.issues[0]?.path.join('.')} is invalid.`);
  const { from = 0, to = Number.MAX_SAFE_INTEGER, count, skip } = parsed.data;
  const inRange = [...items].filter((item) => item.created_at >= from && item.created_at <= to);
  return inRange.toReversed().slice(skip, skip + count);
}

/** The names in `expand[]=…`. */
export function expansions(query: unknown): string[] {
  const parsed = z.object({ 'expand[]': z.union([z.string(), z.array(z.string())]).default([]) }).safeParse(query);
  return parsed.success ? [parsed.data['expand[]']].flat() : [];
}
