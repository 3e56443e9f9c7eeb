import { z } from 'zod';
import { isDay } from '#shared/domain/day.ts';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import { productIcons } from '#shared/domain/product-icon.ts';

/** A calendar day in IST, yyyy-mm-dd (product §4.10). Checks that compare days run only after this one has passed. */
export const daySchema = z
  .string()
  .refine(isDay, { error: 'must be a calendar day, yyyy-mm-dd', abort: true })
  .meta({ example: '2026-11-21' });

/** A day that a caller may pass: within centuries in which the next day, and the end of any plan, is also valid. */
export const askedDaySchema = daySchema.refine((day) => day >= '2000-01-01' && day <= '2199-12-31', {
  error: 'must be a day from 2000 to 2199',
  abort: true,
});

/** A text of one line, without hidden characters: line breaks and other control characters become spaces, as lists show a text per line. */
export function oneLine(text: string): string {
  return withoutHidden(text)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** An instant, ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime();

/** When something happened or is due, where it may be known to the day only. */
export const instantOrDaySchema = z.union([instantSchema, daySchema]);

/** Whole or decimal rupees (product §6.1). */
export const rupeesSchema = z
  .number()
  .meta({ description: 'Rupees, GST included unless said otherwise', example: 1499 });

/** An amount that a caller may pass: in whole paise, and not more than the database holds. */
export const askedRupeesSchema = rupeesSchema
  .positive()
  .max(21_474_836)
  .multipleOf(0.01, 'must be in whole paise, such as 99.50');

/**
 * A text of the catalogue, in the language that the caller's `Accept-Language` asks for, or in English. The server
 * finds such texts in a reply by this very schema (server/http/reply-language.ts).
 */
export const catalogTextSchema = z.string();

/** The same for names of the catalogue that are joined by commas. */
export const catalogNamesSchema = z.string();

/** The mark of a product: an icon that ships, the address of an image, or null for its initials. */
export const productMarkSchema = z
  .union([z.object({ icon: z.enum(productIcons) }), z.object({ image: z.string() })])
  .nullable();
export type ProductMarkOf = z.output<typeof productMarkSchema>;

/** One item that a plan includes. */
export const benefitSchema = z.object({ key: z.string(), value: z.string(), display: catalogTextSchema });

/** What a plan says of operations; names are for people. */
export const operationTermsSchema = z.object({
  /** Operations that cost other than one unit of quota. If there are any, quotas are in units; else in calls. */
  costs: z.array(
    z.object({
      operation: catalogTextSchema,
      units: z.int(),
      /** Only these statuses count, such as `2xx` or `404`; null for all that count anyway. */
      statuses: z.array(z.string()).nullable(),
    }),
  ),
  /** The operations that the plan includes; null for all. */
  operations: z.array(catalogTextSchema).nullable(),
});
export type OperationTerms = z.output<typeof operationTermsSchema>;

/** Use of a quota. */
export const quotaUseSchema = z.object({
  quotaUsed: z.int(),
  quotaLimit: z.int(),
  quotaRemaining: z.int(),
});

/** Use of a quota, with its limit. */
export type QuotaUse = z.output<typeof quotaUseSchema>;

/** The response of a call that returns nothing else. */
export const doneSchema = z.object({ status: z.literal('success') });

/**
 * When a change of access takes effect at the latest, if a gateway has not confirmed it in time; null: it is in effect
 * everywhere.
 */
export const effectiveBySchema = instantSchema.nullable();

/** The response of a call that changes access and returns nothing else. */
export const accessChangedSchema = doneSchema.extend({ effectiveBy: effectiveBySchema });

/** The value of the response that only reports success. */
export const done: z.output<typeof doneSchema> = { status: 'success' };
