import { z } from 'zod';
import { renewalEffectShape } from '#shared/contract/renewal-effect.ts';
import { daySchema, effectiveBySchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

export const grantPlan = defineOperatorCall({
  name: 'grantPlan',
  summary: 'Grant a customer a plan for some days without a payment',
  auth: 'operator',
  action: 'plans.grant',
  concerns: 'customer',
  input: z.strictObject({
    customerId: z.string(),
    productId: z.string(),
    planId: z.string(),
    days: z.int(),
    /** The first day; today when not given. */
    from: daySchema.optional(),
  }),
  reply: z.object({
    customerId: z.string(),
    productId: z.string(),
    productName: z.string(),
    planId: z.string(),
    planName: z.string(),
    fromDate: daySchema,
    /** The first day after it. */
    toDate: daySchema,
    dailyQuota: z.int(),
    monthlyQuota: z.int(),
    rps: z.number(),
    /** What it would cost as listed, by the units that it allows. */
    worth: rupeesSchema,
    /** In a preview null when the customer has not activated the product: the grant does. */
    activationId: z.string().nullable(),
    /** The free plan that ends for it. */
    replaces: z.object({ cycleId: z.string(), planName: z.string() }).nullable(),
    ...renewalEffectShape,
    cycleId: z.string().nullable(),
    effectiveBy: effectiveBySchema,
  }),
});

export const withdrawPlan = defineOperatorCall({
  name: 'withdrawPlan',
  summary: 'End a granted plan before its days are over, or before it begins',
  auth: 'operator',
  action: 'plans.withdraw',
  concerns: 'customer',
  input: z.strictObject({ cycleId: z.string() }),
  reply: z.object({
    cycleId: z.string(),
    customerId: z.string(),
    activationId: z.string(),
    productId: z.string(),
    planName: z.string(),
    fromDate: daySchema,
    /** The first day after the days that it was granted for. */
    toDate: daySchema,
    /** False when it has not begun. */
    isRunning: z.boolean(),
    /** Why it was granted. */
    granted: z.string(),
    ...renewalEffectShape,
    effectiveBy: effectiveBySchema,
  }),
});

export const extendCycle = defineOperatorCall({
  name: 'extendCycle',
  summary: 'Give a plan that runs or waits some days more at no price: its own terms, granted from its end on',
  auth: 'operator',
  action: 'plans.extend',
  concerns: 'customer',
  input: z.strictObject({ cycleId: z.string(), days: z.int() }),
  reply: z.object({
    /** The plan that goes on. */
    cycleId: z.string(),
    customerId: z.string(),
    activationId: z.string(),
    productId: z.string(),
    planName: z.string(),
    /** The added days. */
    fromDate: daySchema,
    /** The first day after them. */
    toDate: daySchema,
    /** Of the added days, for themselves. */
    dailyQuota: z.int(),
    monthlyQuota: z.int(),
    rps: z.number(),
    /** What it would cost as listed, by the units that it allows. */
    worth: rupeesSchema,
    ...renewalEffectShape,
    /** The granted plan of the added days. */
    extensionId: z.string().nullable(),
    effectiveBy: effectiveBySchema,
  }),
});

export const grantCalls = { grantPlan, withdrawPlan, extendCycle };
