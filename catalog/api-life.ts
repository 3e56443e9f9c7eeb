import { z } from 'zod';
import { isDay } from '#shared/domain/day.ts';
import { text } from './catalog-texts.ts';

/** A calendar day of a product file. */
export const day = z.string().refine(isDay, 'must be a day, yyyy-mm-dd, in quotes');

const scope = z
  .string()
  .regex(
    /^(?:product|v\d+|(?:GET|POST|PUT|PATCH|DELETE) \/[\x21-\x3e\x40-\x7e]*)$/,
    'must be product, a version such as v1, or an operation such as GET /v1/shops/{id}',
  );

/** What changes in an API over the years (decision 045). */
export const apiLife = {
  /** What changed, for the product page; the newest first. */
  changelog: z.array(z.strictObject({ on: day, text })).default([]),
  /** What customers should stop using. Responses say so in headers, and customers with keys are told once. */
  deprecations: z
    .array(
      z
        .strictObject({
          of: scope,
          since: day,
          sunset: day.optional(),
          note: text,
          link: z.url({ protocol: /^https?$/ }).optional(),
        })
        .refine(({ since, sunset }) => sunset === undefined || sunset > since, {
          path: ['sunset'],
          error: 'must be after the first day of the deprecation',
        }),
    )
    .default([]),
};
