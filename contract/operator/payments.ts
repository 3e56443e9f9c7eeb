import { z } from 'zod';
import { effectiveBySchema, rupeesSchema } from '#contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** A paid pack that ends with its plan: what is given back, of its own payment, and what of its price is lost. */
const packEndSchema = z.object({
  cycleId: z.string(),
  name: z.string(),
  amount: rupeesSchema,
  lost: rupeesSchema,
  isTransfer: z.boolean(),
});

const cycleRefundSchema = z.object({
  cycleId: z.string(),
  planName: z.string(),
  amount: rupeesSchema,
  /** What of its price is left afterwards. */
  left: rupeesSchema,
  /** The document that goes with it. */
  paper: z.enum(['CREDIT_NOTE', 'REFUND_VOUCHER']),
  /** What it does to the plan. */
  effect: z.enum(['goes on', 'ends', 'is cancelled', 'has ended']),
  /** `TRANSFER`: Razorpay can't pay it, the operator transfers it. */
  payout: z.enum(['PROVIDER', 'TRANSFER']),
  /** Paid packs that end with the plan. */
  packs: z.array(packEndSchema),
});

export const refundPayment = defineOperatorCall({
  name: 'refundPayment',
  summary: 'Refund all that is left of a payment, or an amount of one plan; the same again does nothing',
  auth: 'operator',
  action: 'payments.refund',
  concerns: 'customer',
  input: z.object({
    /** A payment (`pay_…`), an order (`order_…`, `ORD-…`), or a plan (`CYC-…`). */
    of: z.string(),
    /** All that is left when not given. */
    amount: rupeesSchema.positive().optional(),
  }),
  reply: z.object({
    paymentId: z.string(),
    customerId: z.string(),
    /** With what packs give back. */
    amount: rupeesSchema,
    cycles: z.array(cycleRefundSchema),
    /** A dispute keeps the money waiting until it is decided. */
    waitsForDispute: z.boolean(),
    /** The same refunds were made before, and nothing is done. */
    already: z.boolean(),
    refundIds: z.array(z.string()),
    effectiveBy: effectiveBySchema,
  }),
});

export const paymentCalls = { refundPayment };
