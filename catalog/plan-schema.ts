import { z } from 'zod';
import { defaultMaxDays } from '#shared/domain/plan.ts';
import { maxCallsPerSecond } from '#shared/domain/rate-limit.ts';
import { text } from './catalog-texts.ts';

/** An id in the catalogue. */
export const slug = z.string().regex(/^[a-z][a-z0-9-]{1,40}$/);

/** A plan of a product file. */
export const planSchema = z.strictObject({
  id: slug,
  category: slug,
  name: text,
  description: text,
  tenure: z.enum(['TRIAL', 'MONTHLY']).default('MONTHLY'),
  /** Whole or decimal rupees; 0 for free. */
  price: z.number().min(0).max(10_000_000),
  maxDays: z.int().min(1).max(366).default(defaultMaxDays),
  dailyQuota: z.int().min(1).max(100_000_000),
  monthlyQuota: z.int().min(1).max(1_000_000_000),
  rps: z.int().min(1).max(maxCallsPerSecond),
  /** Ids of the operations that it includes; without it, all, also those that are not listed. */
  operations: z.array(z.string()).min(1).optional(),
  badge: text.optional(),
  /** A private plan: the only customers who see it and can buy it, by the addresses they sign in with. */
  customers: z.array(z.email().toLowerCase()).min(1).optional(),
  /** Packs of units that can be added while it runs, on a free plan too. */
  packs: z
    .array(
      z.strictObject({
        id: slug,
        name: text,
        units: z.int().min(1).max(1_000_000_000),
        price: z.number().min(1).max(10_000_000),
      }),
    )
    .default([]),
  /** Default: its quotas and calls per second. */
  benefits: z.array(z.strictObject({ key: slug, value: z.coerce.string(), display: text })).default([]),
});
