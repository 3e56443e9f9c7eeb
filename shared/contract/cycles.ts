import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { renewalEffectShape } from '#shared/contract/renewal-effect.ts';
import { maxPeriods } from '#shared/domain/payment.ts';
import {
  askedDaySchema,
  benefitSchema,
  catalogTextSchema,
  daySchema,
  effectiveBySchema,
  instantSchema,
  operationTermsSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';

export const cycleStatusSchema = z.enum([
  'PAYMENT_PENDING',
  'PENDING',
  'DUE',
  'PAID',
  'NO_PAYMENT_REQUIRED',
  'EXPIRED',
  'DEACTIVATED',
  'REMOVED',
  'REFUNDED',
]);
export const billingStatusSchema = z.enum(['FREE', 'PAID', 'PENDING', 'DUE']);

export const paymentSchema = z.object({
  id: z.string(),
  /** captured, pending, failed or other. */
  status: z.string(),
  paymentCreatedAt: instantSchema,
  /** Why it failed, in the provider's words; null if it did not fail, or no reason was given. */
  reason: z.string().nullable(),
});

/**
 * Of what is unpaid and not on sale any more as it was added, so that it can't be paid: the price of today, or null when it is not on sale at
 * all. Null for everything else.
 */
export const changedOfferSchema = z.object({ price: rupeesSchema.nullable() }).nullable();

/** Of what is paid later, while something of it is owed (decision 081). Calls are refused while it is `STOPPED` or `WRITTEN_OFF`. */
export const openBillSchema = z
  .object({ state: z.enum(['DUE', 'OVERDUE', 'STOPPED', 'WRITTEN_OFF']), owed: rupeesSchema, dueOn: daySchema })
  .nullable();

export const cycleSchema = z.object({
  id: z.string(),
  name: catalogTextSchema,
  status: cycleStatusSchema,
  fromDate: daySchema,
  /** The first day after it. */
  toDate: daySchema,
  price: rupeesSchema,
  changed: changedOfferSchema,
  bill: openBillSchema,
  /** How much of the price is taxable value, and how much is GST (product §6.1). */
  taxableValue: rupeesSchema,
  gst: rupeesSchema,
  createdAt: instantSchema,
  planId: z.string(),
  planName: catalogTextSchema,
  billingStatus: billingStatusSchema,
  /** Where it stands in time today. */
  phase: z.enum(['upcoming', 'running', 'over']),
  dailyQuota: z.int(),
  monthlyQuota: z.int(),
  rps: z.int(),
  benefits: z.array(benefitSchema),
  ...operationTermsSchema.shape,
  payments: z.array(paymentSchema),
  invoiceId: z.string().nullable(),
  /** The purchase order that its documents will name once it is paid; null when it is not unpaid, or names none. */
  purchaseOrder: z.object({ number: z.string(), date: daySchema.nullable() }).nullable(),
  /** The cycle that it replaces on the day it is paid (product §4.21); null when it replaces none. */
  replaces: z.string().nullable(),
  /** Why the provider granted it without a payment; null when it was bought or is free. */
  granted: z.string().nullable(),
  /** Packs that were added to it, oldest first; their units are part of its quotas once they are paid. */
  packs: z.array(
    z.object({
      id: z.string(),
      name: catalogTextSchema,
      units: z.int(),
      price: rupeesSchema,
      changed: changedOfferSchema,
      status: z.enum(['PAYMENT_PENDING', 'PAID']),
      payments: z.array(paymentSchema),
    }),
  ),
  /** Units that the provider added to its quotas; they are part of them. */
  raisedUnits: z.int(),
  /** Packs that can be added now; empty unless it is running. Prices as they would be paid. */
  packOffers: z.array(
    z.object({ id: z.string(), name: catalogTextSchema, units: z.int(), total: rupeesSchema, gst: rupeesSchema }),
  ),
});
export type Cycle = z.output<typeof cycleSchema>;

/** The response of every call that activates a plan. `pending`: a payment is due. `success`: it is active. */
export const activatedSchema = z.object({
  status: z.enum(['pending', 'success']),
  activationId: z.string(),
  billingCycleId: z.string().optional(),
  /** Of all periods, when several were added at once. */
  billingCycleIds: z.array(z.string()).optional(),
  effectiveBy: effectiveBySchema,
});

export const addCycle = defineCall({
  name: 'addCycle',
  summary: 'Add a subscription that starts on a given day',
  method: 'POST',
  path: '/billing/:activationId/plan/:planId/activate',
  auth: 'session',
  params: z.object({ activationId: ids.activation, planId: ids.plan }),
  body: z.strictObject({
    startDate: askedDaySchema,
    /** How many times the plan follows itself; only for plans with a price (product §4.18). */
    periods: z.int().min(1).max(maxPeriods).optional(),
  }),
  reply: activatedSchema,
  refusals: [
    'account_blocked',
    'not_found',
    'start_date_past',
    'days_taken',
    'trial_used',
    'one_period_only',
    'too_many_unpaid',
    'too_many_requests',
  ],
});

export const buyPack = defineCall({
  name: 'buyPack',
  summary: 'Order a pack of units for the running plan; pay for it like for a subscription',
  method: 'POST',
  path: '/billing/:activationId/pack/:packId',
  auth: 'session',
  params: z.object({ activationId: ids.activation, packId: ids.plan }),
  reply: z.object({ status: z.literal('pending'), activationId: z.string(), billingCycleId: z.string() }),
  refusals: [
    'account_blocked',
    'not_found',
    'no_plan_running',
    'payment_under_way',
    'plan_stopped',
    'too_many_requests',
  ],
});

/** The consequences of ending a cycle, shown before the customer confirms (product §4.12). All amounts in rupees. */
export const endingSchema = z.object({
  /** `deactivate` ends a running plan, `cancel` a paid one that has not started, `remove` an unpaid one. */
  kind: z.enum(['deactivate', 'cancel', 'remove']),
  unusedDays: z.int(),
  unusedAmount: rupeesSchema,
  refundAmount: rupeesSchema,
  /** What of the refund is paid by bank transfer, as it can't go back the way it was paid. */
  transferAmount: rupeesSchema,
  /** What of it lowers a bill that is paid later, instead. */
  offsetAmount: rupeesSchema,
  /** What of the price had been withheld from a bank transfer as tax (TDS): it never came, and isn't refunded. */
  withheldAmount: rupeesSchema,
  ...renewalEffectShape,
});
export type Ending = z.output<typeof endingSchema>;

export const previewEndCycle = defineCall({
  name: 'previewEndCycle',
  summary: 'Preview what ending a subscription would cost or refund',
  method: 'GET',
  path: '/billing/:activationId/:billingCycleId/deactivation',
  auth: 'session',
  params: z.object({ activationId: ids.activation, billingCycleId: ids.cycle }),
  reply: endingSchema,
  refusals: ['not_found', 'cannot_deactivate'],
});

export const endCycle = defineCall({
  name: 'endCycle',
  summary: 'Deactivate a running plan at once, cancel an upcoming one, or remove an unpaid one',
  method: 'DELETE',
  path: '/billing/:activationId/:billingCycleId/deactivate',
  auth: 'session',
  params: z.object({ activationId: ids.activation, billingCycleId: ids.cycle }),
  reply: endingSchema.extend({ status: z.literal('success'), effectiveBy: effectiveBySchema }),
  refusals: ['not_found', 'cannot_deactivate'],
});

/** What a switch to another plan ends, loses, refunds and costs, when it is made today (product §4.21). */
export const planSwitchPreviewSchema = z.object({
  replaces: z.object({ billingCycleId: z.string(), planName: catalogTextSchema, toDate: daySchema }),
  unusedDays: z.int(),
  unusedAmount: rupeesSchema,
  refundAmount: rupeesSchema,
  /** What of the refund is paid by bank transfer, as it can't go back the way it was paid. */
  transferAmount: rupeesSchema,
  /** What of it lowers a bill that is paid later, instead. */
  offsetAmount: rupeesSchema,
  /** What of the price had been withheld from a bank transfer as tax (TDS): it never came, and isn't refunded. */
  withheldAmount: rupeesSchema,
  planName: catalogTextSchema,
  fromDate: daySchema,
  /** The first day after it. */
  toDate: daySchema,
  total: rupeesSchema,
  taxableValue: rupeesSchema,
  gst: rupeesSchema,
  ...renewalEffectShape,
});
export type PlanSwitchPreview = z.output<typeof planSwitchPreviewSchema>;

export const previewSwitch = defineCall({
  name: 'previewSwitch',
  summary: 'Preview what switching to another plan would end, lose, refund and cost',
  method: 'GET',
  path: '/billing/:activationId/plan/:planId/switch',
  auth: 'session',
  params: z.object({ activationId: ids.activation, planId: ids.plan }),
  reply: planSwitchPreviewSchema,
  refusals: [
    'not_found',
    'no_plan_running',
    'plan_runs_already',
    'prepaid_in_the_way',
    'payment_under_way',
    'trial_used',
  ],
});

export const switchPlan = defineCall({
  name: 'switchPlan',
  summary: 'Switch to another plan: the running one ends when the new one is paid, or at once when it is free',
  method: 'POST',
  path: '/billing/:activationId/plan/:planId/switch',
  auth: 'session',
  params: z.object({ activationId: ids.activation, planId: ids.plan }),
  reply: activatedSchema,
  refusals: [...previewSwitch.refusals, 'account_blocked', 'days_taken', 'too_many_requests'],
});
