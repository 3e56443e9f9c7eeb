import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { historyEntrySchema } from '#contract/invoices.ts';
import { daySchema, idSchema, instantSchema, quotaUseSchema, rupeesSchema } from '#contract/values.ts';

const renewingUseSchema = quotaUseSchema.extend({
  /** When it begins anew; null when no plan is running. */
  renewsAt: instantSchema.nullable(),
});

export const readUsage = defineCall({
  name: 'readUsage',
  summary: 'Calls counted against the running plan, day by day and against both quotas',
  method: 'GET',
  path: '/devportal/services/:activationId/usage',
  auth: 'session',
  params: z.object({ activationId: idSchema }),
  reply: z.object({
    insights: z.object({
      /** One bar a day of the running cycle up to today, or the last 30 days: x is the IST day, y the calls counted. */
      graph: z.array(z.object({ x: daySchema, y: z.int() })),
      dailyUse: renewingUseSchema,
      monthlyUse: renewingUseSchema,
      from: daySchema,
      to: daySchema,
      /** The running plan; null when none is running. */
      plan: z.string().nullable(),
      monthlyPrice: rupeesSchema,
      asOf: instantSchema,
    }),
    billingCycles: z.array(historyEntrySchema),
  }),
  refusals: ['not_found'],
});
export type Usage = z.output<typeof readUsage.reply>;
