import { z } from 'zod';
import { mandateEnders, skippers } from '#shared/domain/mandate.ts';
import { noRenewals } from '#shared/domain/renewal.ts';
import { noRecharges } from '#shared/domain/recharge.ts';
import { quotaThresholds } from '#shared/domain/quota-thresholds.ts';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';

/** What every event says about its plan. */
export const cycleFacts = z.object({
  activationId: z.string(),
  productId: z.string(),
  billingCycleId: z.string(),
  planId: z.string(),
  planName: z.string(),
  fromDate: daySchema,
  /** The first day after it. */
  toDate: daySchema,
});

const dispute = { disputeId: z.string(), paymentId: z.string(), amount: rupeesSchema, currency: z.literal('INR') };
/** What every event says about its refund. */
export const refund = { refundId: z.string(), paymentId: z.string(), amount: rupeesSchema, currency: z.literal('INR') };

/** What every event says about its mandate, under which a plan renews by itself. */
const mandate = { mandateId: z.string() };
/** A pack that would be debited before units run out. `quotaUnits`: what the plan can use in all without it. */
const recharge = { ...mandate, packName: z.string(), quotaUnits: z.int() };
/** A debit that was asked for. `orderId`: the same in its results. */
const debit = {
  ...mandate,
  orderId: z.string(),
  attempt: z.int(),
  amount: rupeesSchema,
  currency: z.literal('INR'),
};

/** Every event a webhook can receive, with its data besides that of its plan. */
export const webhookEventData = {
  'quota.reached': z.object({
    quota: z.enum(['daily', 'monthly']),
    percent: z.literal(quotaThresholds),
    used: z.int(),
    limit: z.int(),
    renewsOn: daySchema,
  }),
  'cycle.activated': z.object({}),
  'cycle.ending': z.object({ daysLeft: z.int() }),
  'cycle.ended': z.object({ reason: z.enum(['expired', 'deactivated', 'refunded', 'replaced']) }),
  'cycle.cancelled': z.object({ refundAmount: rupeesSchema }),
  'invoice.issued': z.object({
    documentId: z.string(),
    number: z.string(),
    date: daySchema,
    total: rupeesSchema,
    currency: z.literal('INR'),
  }),
  /** A bill of what is paid later is due soon or today, overdue, has stopped the plans that are not paid, or is due again as its payment went back. */
  'bill.due': z.object({
    notice: z.enum(['soon', 'today', 'overdue', 'stopped', 'again']),
    amount: rupeesSchema,
    currency: z.literal('INR'),
    dueOn: daySchema,
    /** The first day on which calls of plans that are not paid are refused. */
    stopsOn: daySchema,
    invoice: z.string(),
  }),
  'api.deprecated': z.object({
    /** `product`, a version such as `v1`, or an operation such as `GET /v1/shops/{id}`. */
    deprecated: z.string(),
    since: daySchema,
    sunset: daySchema.nullable(),
    note: z.string(),
    link: z.string().nullable(),
  }),
  'payment.failed': z.object({
    paymentId: z.string(),
    amount: rupeesSchema,
    currency: z.literal('INR'),
    reason: z.string().nullable(),
  }),
  'mandate.confirmed': z.object({
    ...mandate,
    /** The most that one debit takes. */
    ceiling: rupeesSchema,
    currency: z.literal('INR'),
    lastDay: daySchema,
    pinEachTime: z.boolean(),
  }),
  /** `APP`: in the UPI app, or by the bank. `PLAN`: the plan ended before its last day. `LAPSE`: there is none any more. */
  'mandate.ended': z.object({ ...mandate, endedBy: z.enum([...mandateEnders, 'REPLACED']) }),
  'renewal.announced': z.object({
    ...mandate,
    amount: rupeesSchema,
    currency: z.literal('INR'),
    renewsFrom: daySchema,
    /** The first day after it. */
    renewsTo: daySchema,
    /** The debit is not asked for before this day: skip it before it begins. */
    debitOn: daySchema,
    skipUntil: instantSchema,
    pinEachTime: z.boolean(),
  }),
  'renewal.skipped': z.object({ ...mandate, renewsFrom: daySchema, skippedBy: z.enum(skippers) }),
  'renewal.resumed': z.object({ ...mandate, renewsFrom: daySchema }),
  'renewal.withheld': z.object({ ...mandate, renewsFrom: daySchema, reason: z.enum(noRenewals) }),
  'renewal.paid': z.object({ ...debit, paymentId: z.string() }),
  /** `againOn`: the day from which it is asked for once more. `paymentId`: null when none was made. */
  'renewal.failed': z.object({
    ...debit,
    paymentId: z.string().nullable(),
    reason: z.string().nullable(),
    againOn: daySchema.nullable(),
  }),
  'recharge.agreed': z.object({
    ...mandate,
    packName: z.string(),
    units: z.int(),
    /** The most for a calendar month (IST). */
    monthlyCeiling: rupeesSchema,
    currency: z.literal('INR'),
  }),
  'recharge.ended': z.object(mandate),
  'recharge.announced': z.object({
    ...recharge,
    units: z.int(),
    amount: rupeesSchema,
    currency: z.literal('INR'),
    /** When the units end at the pace of the last days. */
    unitsEndAt: instantSchema,
    /** The debit is not asked for before: skip it until then. */
    skipUntil: instantSchema,
    pinEachTime: z.boolean(),
  }),
  'recharge.skipped': z.object({ ...recharge, skippedBy: z.enum(skippers) }),
  'recharge.withheld': z.object({ ...recharge, unitsEndAt: instantSchema, reason: z.enum(noRecharges) }),
  'recharge.paid': z.object({ ...debit, paymentId: z.string() }),
  /** `paymentId`: null when none was made. */
  'recharge.failed': z.object({ ...debit, paymentId: z.string().nullable(), reason: z.string().nullable() }),
  'refund.started': z.object({ ...refund, reason: z.string() }),
  'refund.completed': z.object(refund),
  'dispute.opened': z.object(dispute),
  /** `refunded`: the bank decided for you, and the money is back. Otherwise the payment stands. */
  'dispute.ended': z.object({ ...dispute, outcome: z.enum(['payment_stands', 'refunded']) }),
} as const satisfies Record<string, z.ZodObject>;

export type WebhookEventType = keyof typeof webhookEventData;

/** The data of an event besides that of its plan. */
export type WebhookEventData<Type extends WebhookEventType> = z.input<(typeof webhookEventData)[Type]>;

const types: readonly string[] = Object.keys(webhookEventData);
function isEventType(value: string): value is WebhookEventType {
  return types.includes(value);
}

/** Every type, in the order in which pages offer them. */
export const webhookEventTypes: readonly WebhookEventType[] = Object.keys(webhookEventData).filter(isEventType);

/** The body of a delivery, as Standard Webhooks defines it. */
export function webhookBodySchema(type: WebhookEventType) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: instantSchema,
    data: z.strictObject({ ...cycleFacts.shape, ...webhookEventData[type].shape }),
  });
}
