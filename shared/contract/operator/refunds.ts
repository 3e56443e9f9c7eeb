import { z } from 'zod';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

export const listUnpaidRefunds = defineOperatorCall({
  name: 'listUnpaidRefunds',
  summary:
    'The refunds that wait for a bank transfer, that Razorpay refuses, that a bank returned, or that are not paid after a week, oldest first',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      cycleId: z.string(),
      reason: z.string(),
      customerId: z.string(),
      customerName: z.string(),
      customerEmail: z.string(),
      /** What is left to pay. */
      amount: rupeesSchema,
      /** So much more never came, as the customer had withheld it from a bank transfer as tax (TDS), and is not paid out. */
      withheld: rupeesSchema,
      /** `TRANSFER`: the operator transfers it; otherwise Razorpay is to pay it. */
      payout: z.enum(['PROVIDER', 'TRANSFER', 'OFFSET']),
      status: z.enum(['STARTED', 'PENDING', 'PROCESSED', 'FAILED']),
      refusal: z.string().nullable(),
      /** How often a bank returned it. */
      returns: z.number().int(),
      /** Razorpay has neither refused nor paid it after a week: ask Razorpay. */
      isLate: z.boolean(),
      startedAt: instantSchema,
      /** Nobody may pay it while its payment is disputed. */
      waitsForDispute: z.boolean(),
    }),
  ),
});

export const listRefunds = defineOperatorCall({
  name: 'listRefunds',
  summary: 'The refunds of a customer, newest first',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string(), ...pageInput }),
  reply: z.object({
    refunds: z.array(
      z.object({
        id: z.string(),
        paymentId: z.string(),
        cycleId: z.string(),
        /** Of the payment. */
        currency: z.string(),
        amount: rupeesSchema,
        /** So much more had been withheld from a bank transfer as tax (TDS): it never came, and is not paid out. */
        withheld: rupeesSchema,
        /** So much more lowered what was due of a bill on credit terms, where only the rest is paid out. */
        offset: rupeesSchema,
        status: z.string(),
        /** Who or what caused it. */
        origin: z.string(),
        reason: z.string(),
        /** `WITHHELD`: tax that was deducted from the payment, so that nothing is paid out. */
        payout: z.enum(['PROVIDER', 'TRANSFER', 'WITHHELD', 'OFFSET']),
        utr: z.string().nullable(),
        /** Why Razorpay refuses it. */
        refusal: z.string().nullable(),
        createdAt: instantSchema,
        settledAt: instantSchema.nullable(),
      }),
    ),
    next: nextSchema,
  }),
});

const refundSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  paymentId: z.string(),
  reason: z.string(),
  /** What is left to pay of it. */
  amount: rupeesSchema,
});

export const recordTransfer = defineOperatorCall({
  name: 'recordTransfer',
  summary: 'Record the bank transfer of a refund: it is complete, and the customer gets a mail with the number',
  auth: 'operator',
  action: 'refunds.transfer',
  concerns: 'customer',
  input: z.strictObject({
    refundId: z.string(),
    /** The number of the transfer, as `readUtr` reads it. */
    utr: z.string(),
    on: daySchema,
  }),
  reply: refundSchema.extend({ utr: z.string(), on: daySchema }),
});

export const turnRefund = defineOperatorCall({
  name: 'turnRefund',
  summary: 'Turn a refund that Razorpay refuses or a bank returned into a bank transfer',
  auth: 'operator',
  action: 'refunds.turn',
  concerns: 'customer',
  input: z.strictObject({ refundId: z.string() }),
  reply: refundSchema,
});

export const refundCalls = { listUnpaidRefunds, listRefunds, recordTransfer, turnRefund };
