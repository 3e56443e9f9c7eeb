import { z } from 'zod';
import { isDay } from '#domain/day.ts';

/** A calendar day in IST, yyyy-mm-dd (product §4.10). */
export const daySchema = z.string().refine(isDay, 'must be a calendar day, yyyy-mm-dd').meta({ example: '2026-11-21' });

/** A day that a caller may ask for: in centuries where the day after it, and the end of any plan, is a day as well. */
export const askedDaySchema = daySchema.refine(
  (day) => day >= '2000-01-01' && day <= '2199-12-31',
  'must be a day from 2000 to 2199',
);

/** An instant, ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime();

/** Whole or decimal rupees (product §6.1). */
export const rupeesSchema = z
  .number()
  .meta({ description: 'Rupees, GST included unless said otherwise', example: 1499 });

/** An id in a path or body. Whatever does not exist is answered 404, so its form is not checked beyond its length. */
export const idSchema = z.string().min(1).max(80);

/** One line of what a plan gives. */
export const benefitSchema = z.object({ key: z.string(), value: z.string(), display: z.string() });

/** How much of a quota is used. */
export const quotaUseSchema = z.object({
  quotaUsed: z.int(),
  quotaLimit: z.int(),
  quotaRemaining: z.int(),
});

/** How much of a quota is used. */
export type QuotaUse = z.output<typeof quotaUseSchema>;

/** The reply of a call that has nothing else to say. */
export const doneSchema = z.object({ status: z.literal('success') });

/**
 * By when a change of access takes effect at the latest, where a gateway has not confirmed it in time; null: it is in effect
 * everywhere.
 */
export const effectiveBySchema = instantSchema.nullable();

/** The reply of a call that changes access and has nothing else to say. */
export const accessChangedSchema = doneSchema.extend({ effectiveBy: effectiveBySchema });

/** The value of the reply that says only that it is done. */
export const done: z.output<typeof doneSchema> = { status: 'success' };
