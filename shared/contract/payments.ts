import { z } from 'zod';
import { purchaseOrderNumberSchema } from '#shared/contract/account.ts';
import { type CallReply, defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { mandateMethods } from '#shared/domain/mandate.ts';
import { maxPeriods } from '#shared/domain/payment.ts';
import { catalogTextSchema, daySchema, effectiveBySchema, rupeesSchema } from '#shared/contract/values.ts';

const orderSchema = z.object({
  orderId: z.string(),
  amount: rupeesSchema,
  currency: z.literal('INR'),
  customer: z.object({ name: z.string(), email: z.string(), contact: z.string() }),
  billingCycleId: z.string(),
  planName: catalogTextSchema,
});

/** What one order pays for. */
export const cycleIdsSchema = z.array(ids.cycle).min(1).max(maxPeriods);

export const createOrder = defineCall({
  name: 'createOrder',
  summary: 'Create the payment order of a billing cycle, or of an activation’s first unpaid cycle',
  method: 'POST',
  path: '/billing/make-order/:id',
  auth: 'session',
  params: z.object({ id: ids.activationOrCycle }),
  reply: orderSchema,
  mayCharge: true,
  refusals: [
    'account_blocked',
    'not_found',
    'nothing_to_pay',
    'payment_under_way',
    'no_plan_running',
    'plan_stopped',
    'plan_changed',
    'plan_withdrawn',
    'profile_incomplete',
    'gstin_not_active',
    'gstin_unknown',
    'sez_not_confirmed',
    'sez_checked_too_often',
    'payment_provider_unavailable',
    'no_document_number',
    'too_many_requests',
  ],
});

export const createOrderOfPeriods = defineCall({
  name: 'createOrderOfPeriods',
  summary:
    'Create one payment order for one or several unpaid subscriptions of an activation, and name a purchase order for it (product §4.18, §4.20)',
  method: 'POST',
  path: '/billing/:activationId/order',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  body: z.strictObject({
    billingCycleIds: cycleIdsSchema,
    /** What its documents name. Null: none. When absent, what was named for the order before, or that of the business details. */
    purchaseOrder: z.strictObject({ number: purchaseOrderNumberSchema, date: daySchema.nullable() }).nullish(),
    /** The payer's consent to renew the plan by itself; `pinEachTime` is needed above ₹15,000, and only by UPI (decision 074). */
    renewal: z.strictObject({ pinEachTime: z.boolean(), method: z.enum(mandateMethods).default('upi') }).optional(),
  }),
  reply: orderSchema.extend({
    billingCycleIds: z.array(z.string()),
    /** With which the checkout asks for the mandate; null without a consent. */
    mandate: z.object({ customerId: z.string() }).nullable(),
  }),
  mayCharge: true,
  refusals: [...createOrder.refusals, 'renews_already'],
});

export const listDisputes = defineCall({
  name: 'listDisputes',
  summary: 'The payments that the caller’s bank disputes (chargebacks) and has not decided yet, newest first',
  method: 'GET',
  path: '/billing/disputes',
  auth: 'session',
  reply: z.object({
    disputes: z.array(
      z.object({
        disputeId: z.string(),
        paymentId: z.string(),
        billingCycleId: z.string(),
        /** Null when the activation was deleted. */
        activationId: z.string().nullable(),
        amount: rupeesSchema,
        openedOn: daySchema,
        /** ANSWERING: the provider is asked for evidence. DECIDING: the bank has it. */
        status: z.enum(['ANSWERING', 'DECIDING']),
      }),
    ),
  }),
  refusals: [],
});
export type Dispute = CallReply<typeof listDisputes>['disputes'][number];

export const verifyPayment = defineCall({
  name: 'verifyPayment',
  summary: 'Report a payment from the checkout; the portal verifies it with the payment provider (product §6.3)',
  method: 'POST',
  path: '/billing/verify-payment',
  auth: 'session',
  body: z.strictObject({ paymentId: ids.payment, orderId: ids.order, signature: z.string().min(1).max(200) }),
  reply: z.object({
    /**
     * `success`: the cycle is paid. `pending`: the provider has not confirmed it yet. `refunded`: it came too late and
     * is refunded.
     */
    status: z.enum(['success', 'pending', 'refunded']),
    billingCycleId: z.string(),
    effectiveBy: effectiveBySchema,
  }),
  mayCharge: true,
  refusals: ['not_found', 'payment_not_verified'],
});
