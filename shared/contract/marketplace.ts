import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { activatedSchema } from '#shared/contract/cycles.ts';
import { ids } from '#shared/contract/ids.ts';
import {
  benefitSchema,
  catalogTextSchema,
  daySchema,
  operationTermsSchema,
  productMarkSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';

export const planSchema = z.object({
  id: z.string(),
  name: catalogTextSchema,
  description: catalogTextSchema,
  price: rupeesSchema,
  /** What the customer pays: the price, plus GST when the price does not include it. */
  total: rupeesSchema,
  taxableValue: rupeesSchema,
  gst: rupeesSchema,
  tenure: z.enum(['TRIAL', 'MONTHLY']),
  maxDays: z.int(),
  badge: catalogTextSchema.optional(),
  /** The specification's names for a service's plans. */
  priceMonthly: rupeesSchema,
  monthlyQuota: z.int(),
  dailyQuota: z.int(),
  rps: z.int(),
  category: z.string(),
  /** Its name, as in “{Category} Plans”. */
  categoryName: catalogTextSchema,
  benefits: z.array(benefitSchema),
  ...operationTermsSchema.shape,
});
export type Plan = z.output<typeof planSchema>;

const titledSchema = z.object({ title: catalogTextSchema, text: catalogTextSchema });

const amountSchema = z.object({ label: catalogTextSchema, value: z.string() });

export const productSchema = z.object({
  id: z.string(),
  aliases: z.array(z.string()),
  name: catalogTextSchema,
  tagline: catalogTextSchema,
  description: catalogTextSchema,
  longDescription: catalogTextSchema,
  features: z.array(titledSchema),
  useCases: z.array(titledSchema),
  faq: z.array(titledSchema),
  mark: productMarkSchema,
  /** Above its name: an image, a code in its parts, or amounts with their total; null: its mark. */
  picture: z
    .union([
      z.object({ image: z.string() }),
      z.object({ parts: z.array(z.object({ text: z.string(), label: catalogTextSchema.nullable() })) }),
      z.object({ lines: z.array(amountSchema), total: amountSchema }),
    ])
    .nullable(),
  /** What the provider claims of it; null: nothing. */
  claims: z.object({ support: catalogTextSchema.nullable(), uptime: catalogTextSchema.nullable() }),
  sample: z.object({ request: z.string(), answer: z.string() }),
  /** Names of its operations, by operationId, and of their tags, where the catalogue gives them. */
  operations: z.record(z.string(), catalogTextSchema),
  tags: z.record(z.string(), catalogTextSchema),
  /** What changed in it, newest first. */
  changelog: z.array(z.object({ on: daySchema, text: catalogTextSchema })),
  /** What customers should stop using: the product, a version or an operation. */
  deprecations: z.array(
    z.object({
      of: z.string(),
      since: daySchema,
      sunset: daySchema.nullable(),
      note: catalogTextSchema,
      link: z.string().nullable(),
    }),
  ),
  /** Base address of its API: the gateway's address and the product's path. */
  baseUrl: z.string(),
  /** Its OpenAPI document. */
  documentationUrl: z.string(),
  plans: z.array(planSchema),
  /** The plan that “Activate Now” would start for this customer (product §4.4); null: none, the plan is chosen later. */
  activateNow: z.object({ planId: z.string(), name: catalogTextSchema, maxDays: z.int() }).nullable(),
});
export type Product = z.output<typeof productSchema>;

export const listProducts = defineCall({
  name: 'listProducts',
  summary: 'All products with their plans',
  method: 'GET',
  path: '/marketplace',
  auth: 'session',
  reply: z.array(productSchema),
  refusals: [],
});

export const listPlans = defineCall({
  name: 'listPlans',
  summary: 'The plans of a product by category',
  method: 'GET',
  path: '/marketplace/:productId/plans',
  auth: 'session',
  params: z.object({ productId: ids.product }),
  reply: z.record(z.string(), z.array(planSchema)),
  refusals: ['not_found'],
});

export const activatePlan = defineCall({
  name: 'activatePlan',
  summary: 'Activate a product with a plan',
  method: 'POST',
  path: '/marketplace/:id/plans/:planId/activate',
  auth: 'session',
  params: z.object({ id: ids.product, planId: ids.plan }),
  reply: activatedSchema,
  refusals: ['account_blocked', 'not_found', 'already_activated', 'trial_used', 'too_many_requests'],
});

export const activateProduct = defineCall({
  name: 'activateProduct',
  summary: 'Activate a product; its free or trial plan starts if there is one (product §4.4)',
  method: 'POST',
  path: '/marketplace/:id/activate',
  auth: 'session',
  params: z.object({ id: ids.product }),
  reply: activatedSchema,
  refusals: ['account_blocked', 'not_found', 'already_activated', 'too_many_requests'],
});

export const activateService = defineCall({
  name: 'activateService',
  summary: 'Activate a service with a plan, named in the body',
  method: 'POST',
  path: '/devportal/services/activate',
  auth: 'session',
  body: z.strictObject({ serviceId: ids.product, planId: ids.plan }),
  reply: activatedSchema,
  refusals: ['account_blocked', 'not_found', 'already_activated', 'trial_used', 'too_many_requests'],
});
