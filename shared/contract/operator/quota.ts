import { z } from 'zod';
import { daySchema, effectiveBySchema, rupeesSchema } from '#shared/contract/values.ts';
import { maxCallsPerSecond } from '#shared/domain/rate-limit.ts';
import { defineOperatorCall } from './operator-call.ts';

export const setQuota = defineOperatorCall({
  name: 'setQuota',
  summary:
    'Add units to the quota of a plan and of each of its days, or take back what was added, never below what is used',
  auth: 'operator',
  action: 'quota.set',
  concerns: 'customer',
  input: z.strictObject({ cycleId: z.string(), units: z.int() }),
  reply: z.object({
    cycleId: z.string(),
    customerId: z.string(),
    activationId: z.string(),
    planName: z.string(),
    fromDate: daySchema,
    /** The first day after it. */
    toDate: daySchema,
    units: z.int(),
    /** What the units that are added would cost as listed. */
    worth: rupeesSchema,
    /** Units that operators have added, before and after. */
    raisedBefore: z.int(),
    raised: z.int(),
    /** Now, packs included. */
    dailyBefore: z.int(),
    monthlyBefore: z.int(),
    /** Afterwards. */
    daily: z.int(),
    monthly: z.int(),
    /** Units of the plan that are used, or lent to gateways. */
    taken: z.int(),
    effectiveBy: effectiveBySchema,
  }),
});

export const overrideCallsPerSecond = defineOperatorCall({
  name: 'overrideCallsPerSecond',
  summary: 'Give an activation another limit of calls per second than its plans have, or take that back',
  auth: 'operator',
  action: 'rate.set',
  concerns: 'customer',
  input: z.strictObject({
    activationId: z.string(),
    /** Null for what the plans say. */
    callsPerSecond: z.int().min(1).max(maxCallsPerSecond).nullable(),
  }),
  reply: z.object({
    activationId: z.string(),
    customerId: z.string(),
    productId: z.string(),
    /** The plan that runs, and its own limit; null when none does. */
    plan: z.object({ cycleId: z.string(), name: z.string(), callsPerSecond: z.int() }).nullable(),
    /** What operators set, before and after; null for what the plans say. */
    before: z.int().nullable(),
    callsPerSecond: z.int().nullable(),
    effectiveBy: effectiveBySchema,
  }),
});

export const quotaCalls = { setQuota, overrideCallsPerSecond };
