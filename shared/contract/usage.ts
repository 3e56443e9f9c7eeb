import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { historyEntrySchema } from '#shared/contract/invoices.ts';
import {
  askedDaySchema,
  catalogTextSchema,
  daySchema,
  instantSchema,
  quotaUseSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';

const renewingUseSchema = quotaUseSchema.extend({
  /** When it resets; null when no plan is running. */
  renewsAt: instantSchema.nullable(),
});

const insightsSchema = z.object({
  /**
   * One bar per day of the running cycle up to today, or of the last 30 days: x is the IST day, y the units of quota used.
   */
  graph: z.array(z.object({ x: daySchema, y: z.int() })),
  /** Quotas count units, since some calls cost other than one. */
  inUnits: z.boolean(),
  /** A pack of units can be added to the running plan. */
  canRecharge: z.boolean(),
  dailyUse: renewingUseSchema,
  monthlyUse: renewingUseSchema,
  from: daySchema,
  to: daySchema,
  /** The running plan; null when none is running. */
  plan: catalogTextSchema.nullable(),
  monthlyPrice: rupeesSchema,
  asOf: instantSchema,
});

export const readUsage = defineCall({
  name: 'readUsage',
  summary: 'Units used of the running plan, per day and of both quotas; most calls use one',
  method: 'GET',
  path: '/devportal/services/:activationId/usage',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  reply: z.object({
    insights: insightsSchema,
    /** Empty for a role without money. */
    billingCycles: z.array(historyEntrySchema),
  }),
  refusals: ['not_found'],
});
export type Usage = z.output<typeof readUsage.reply>;

/** The data of each `usage` event of the live stream: the current insights. */
export const usageEventSchema = insightsSchema;

/**
 * The stream of server-sent events about an activation's calls, under the backend's address. It takes the session token
 * as every call does, so clients read it with fetch, not with EventSource.
 */
export const usageStreamPath = '/devportal/services/:activationId/usage/live';

/** The longest date range of a report. */
export const reportMaxDays = 366;

export const readUsageReport = defineCall({
  name: 'readUsageReport',
  summary: 'Calls per day, product and key over a date range',
  method: 'GET',
  path: '/usage/report',
  auth: 'session',
  query: z.object({ from: askedDaySchema, to: askedDaySchema.meta({ description: 'The last day, included' }) }),
  reply: z.object({
    from: daySchema,
    to: daySchema,
    asOf: instantSchema,
    /** Only days with calls. */
    rows: z.array(
      z.object({
        day: daySchema,
        activationId: z.string(),
        serviceName: catalogTextSchema,
        keyId: z.string(),
        keyName: z.string(),
        /** The product responded, and the call counted against the quota. */
        counted: z.int(),
        /** The product responded, and the call was not counted: the API itself had failed. */
        free: z.int(),
        /** Units of quota that the counted calls used. */
        units: z.int(),
      }),
    ),
    /** Every activation with the daily quota of its running plan; null when none is running. */
    activations: z.array(
      z.object({
        activationId: z.string(),
        serviceName: catalogTextSchema,
        dailyQuota: z.int().nullable(),
        deleted: z.boolean(),
      }),
    ),
  }),
  refusals: ['span_too_long'],
});
export type UsageReport = z.output<typeof readUsageReport.reply>;

/** The calls of one billing cycle as they were counted: the evidence for its invoice. */
export const readCycleUsage = defineCall({
  name: 'readCycleUsage',
  summary: 'The usage of a billing cycle: calls per day, key and status class, counted or not',
  method: 'GET',
  path: '/billing/usage/:billingCycleId',
  auth: 'session',
  params: z.object({ billingCycleId: ids.cycle }),
  reply: z.object({
    billingCycleId: z.string(),
    activationId: z.string(),
    /** The number of its invoice, or of its receipt voucher until the cycle starts; null until something is paid. */
    invoiceId: z.string().nullable(),
    planName: catalogTextSchema,
    fromDate: daySchema,
    /** The first day after it. */
    toDate: daySchema,
    monthlyQuota: z.int(),
    /** Calls that used quota and calls that did not: the sums of the rows. */
    counted: z.int(),
    free: z.int(),
    /** Units of quota that the counted calls used. */
    units: z.int(),
    rows: z.array(
      z.object({
        day: daySchema,
        keyId: z.string(),
        keyName: z.string(),
        answers: z.enum(['1xx', '2xx', '3xx', '4xx', '5xx']),
        counted: z.boolean(),
        calls: z.int(),
        units: z.int(),
      }),
    ),
    asOf: instantSchema,
  }),
  refusals: ['not_found'],
});
export type CycleUsage = z.output<typeof readCycleUsage.reply>;
