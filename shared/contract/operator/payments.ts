import { z } from 'zod';
import { monthSchema } from '#shared/contract/month-pack.ts';
import { renewalEffectShape } from '#shared/contract/renewal-effect.ts';
import {
  askedRupeesSchema,
  daySchema,
  effectiveBySchema,
  instantSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';
import { paymentStatuses } from '#shared/domain/payment.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

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
  /** What of that never came, as the customer had withheld it from a bank transfer as tax (TDS): it is not paid out. */
  withheld: rupeesSchema,
  /** What of that lowers what is due of its bill on credit terms: it is not paid out either. */
  offset: rupeesSchema,
  /** What of its price is left afterwards. */
  left: rupeesSchema,
  /** The document that goes with it. */
  paper: z.enum(['CREDIT_NOTE', 'REFUND_VOUCHER']),
  /** What it does to the plan. */
  effect: z.enum(['goes on', 'ends', 'is cancelled', 'has ended']),
  /** `TRANSFER`: Razorpay can't pay it, the operator transfers it. */
  payout: z.enum(['PROVIDER', 'TRANSFER', 'OFFSET']),
  /** Paid packs that end with the plan. */
  packs: z.array(packEndSchema),
});

export const refundPayment = defineOperatorCall({
  name: 'refundPayment',
  summary: 'Refund all that is left of a payment, or an amount of one plan; the same again does nothing',
  auth: 'operator',
  action: 'payments.refund',
  concerns: 'customer',
  input: z.strictObject({
    /** A payment (`pay_…`), an order (`order_…`, `ORD-…`), or a plan (`CYC-…`). */
    of: z.string(),
    /** What the customer gets; all that is left when not given. */
    amount: askedRupeesSchema.optional(),
  }),
  reply: z.object({
    paymentId: z.string(),
    customerId: z.string(),
    /** What the customer gets, with what packs give back. */
    amount: rupeesSchema,
    cycles: z.array(cycleRefundSchema),
    /** A dispute keeps the money waiting until it is decided. */
    waitsForDispute: z.boolean(),
    ...renewalEffectShape,
    /** The same refunds were made before, and nothing is done. */
    already: z.boolean(),
    refundIds: z.array(z.string()),
    effectiveBy: effectiveBySchema,
  }),
});

const timeSchema = instantSchema.nullable();

/** Everything that is known of an order and its payments. */
const paymentFileSchema = z.object({
  order: z.object({
    id: z.string(),
    providerOrderId: z.string().nullable(),
    customerId: z.string(),
    activationId: z.string(),
    amount: rupeesSchema,
    status: z.string(),
    createdAt: instantSchema,
    nextCheckAt: timeSchema,
  }),
  cycles: z.array(
    z.object({
      id: z.string(),
      planName: z.string(),
      amount: rupeesSchema,
      status: z.string(),
      fromDate: daySchema,
      /** The first day after it. */
      toDate: daySchema,
    }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      currency: z.string(),
      amount: rupeesSchema,
      status: z.string(),
      /** What the money was taken for: the plans, or to be refunded; a bank transfer may be held until an operator says which. */
      use: z.enum(['CYCLE', 'DUE', 'REFUND', 'HELD']).nullable(),
      method: z.string(),
      fault: z.string().nullable(),
      createdAt: instantSchema,
      capturedAt: timeSchema,
    }),
  ),
  documents: z.array(
    z.object({ id: z.string(), number: z.string(), kind: z.string(), issuedOn: daySchema, total: rupeesSchema }),
  ),
  refunds: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      cycleId: z.string(),
      currency: z.string(),
      amount: rupeesSchema,
      status: z.string(),
      origin: z.string(),
      reason: z.string(),
      providerRefundId: z.string().nullable(),
      /** What the customer got twice by it. */
      loss: rupeesSchema,
      /** So much of it pays what other refunds of the payment had promised. */
      covers: rupeesSchema,
      /** So much of it was paid by others of the payment, such as a lost dispute, lowered a bill on credit terms, or never came. */
      covered: rupeesSchema,
      /** So much of that had been withheld from a bank transfer as tax (TDS), and never came. */
      withheld: rupeesSchema,
      /** So much of that lowered what was due of a bill on credit terms. */
      offset: rupeesSchema,
      tries: z.int(),
      /** `WITHHELD`: tax that was deducted from the payment, so that nothing is paid out. */
      payout: z.enum(['PROVIDER', 'TRANSFER', 'WITHHELD', 'OFFSET']),
      utr: z.string().nullable(),
      refusal: z.string().nullable(),
    }),
  ),
  disputes: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      currency: z.string(),
      amount: rupeesSchema,
      status: z.string(),
      respondBy: timeSchema,
    }),
  ),
  settlements: z.array(
    z.object({
      id: z.string().nullable(),
      type: z.string(),
      currency: z.string(),
      amount: rupeesSchema,
      fee: rupeesSchema,
      utr: z.string().nullable(),
    }),
  ),
  webhooks: z.array(
    z.object({
      event: z.string(),
      receivedAt: instantSchema,
      processedAt: timeSchema,
      tries: z.int(),
      fault: z.string().nullable(),
    }),
  ),
  /** Captured at the provider and not settled here, with the error that prevents it. */
  unsettled: z.array(z.object({ paymentId: z.string(), since: instantSchema, tries: z.int(), fault: z.string() })),
});
export type PaymentFile = z.output<typeof paymentFileSchema>;

/** The id of a payment, an order, a plan or a refund, or a document number. */
const soughtPayment = z.strictObject({ of: z.string() });

export const readPayment = defineOperatorCall({
  name: 'readPayment',
  summary: 'An order with its payments, plans, documents, refunds, disputes, settlements and deliveries of webhooks',
  auth: 'operator',
  input: soughtPayment,
  reply: paymentFileSchema,
});

export const recheckPayment = defineOperatorCall({
  name: 'recheckPayment',
  summary: 'Have the running portal ask Razorpay about an order now, and carry out what was missed',
  auth: 'operator',
  action: 'payments.recheck',
  concerns: 'customer',
  input: soughtPayment,
  /** Before, and after. */
  reply: paymentFileSchema,
});

export const listPayments = defineOperatorCall({
  name: 'listPayments',
  summary: 'Payments, newest first, with why one failed, what was refunded, and disputes',
  auth: 'operator',
  input: z.strictObject({
    /** Those of all customers when not given. */
    customerId: z.string().optional(),
    status: z.enum(paymentStatuses).optional(),
    /** When they began, by Indian time. */
    month: monthSchema.optional(),
    ...pageInput,
  }),
  reply: z.object({
    payments: z.array(
      z.object({
        id: z.string(),
        orderId: z.string(),
        customerId: z.string(),
        customer: z.string(),
        cycleId: z.string(),
        planName: z.string(),
        /** A payment that is not in INR pays for nothing, and is refunded; its amounts are hundredths of its smallest unit. */
        currency: z.string(),
        amount: rupeesSchema,
        status: z.string(),
        /** As in the payment's file. */
        use: z.enum(['CYCLE', 'DUE', 'REFUND', 'HELD']).nullable(),
        method: z.string(),
        /** Why it failed, in the words of the bank or Razorpay. */
        fault: z.string().nullable(),
        createdAt: instantSchema,
        capturedAt: timeSchema,
        /** Refunded, or about to be. */
        refunded: rupeesSchema,
        /** No money, but a promise to pay later: what is due of its bill. Else null. */
        due: rupeesSchema.nullable(),
        disputes: z.array(
          z.object({
            id: z.string(),
            amount: rupeesSchema,
            status: z.string(),
            reason: z.string(),
            respondBy: timeSchema,
          }),
        ),
      }),
    ),
    next: nextSchema,
  }),
});

export const paymentCalls = { refundPayment, readPayment, recheckPayment, listPayments };
