import { z } from 'zod';
import { monthSchema } from '#shared/contract/month-pack.ts';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { type DifferenceKind, differenceKinds } from '#shared/domain/settlement.ts';
import { defineOperatorCall } from './operator-call.ts';

const ofAnotherShop =
  'Look at it on Razorpay’s dashboard: it is of another shop on the account, or a webhook was missed.';
const askForCorrection = 'Ask Razorpay for a correction; it comes as an adjustment.';

/** What each difference is, and what to do about it. */
export const differenceTexts: Readonly<Record<DifferenceKind, { what: string; remedy: string }>> = {
  NOT_SETTLED: { what: 'Payment not settled', remedy: 'Ask Razorpay why it is in no settlement.' },
  ON_HOLD: { what: 'Payment on hold', remedy: 'Ask Razorpay why it is held back.' },
  AMOUNT_DIFFERS: { what: 'Other amount', remedy: askForCorrection },
  FEE_DIFFERS: { what: 'Other fee or GST on it', remedy: askForCorrection },
  SETTLED_TWICE: { what: 'Settled twice', remedy: askForCorrection },
  UNKNOWN_PAYMENT: { what: 'Payment unknown to the portal', remedy: ofAnotherShop },
  UNKNOWN_REFUND: { what: 'Refund unknown to the portal', remedy: ofAnotherShop },
  UNKNOWN_ADJUSTMENT: {
    what: 'Adjustment without a payment or dispute',
    remedy: 'It is Razorpay’s own correction or charge: book it in your accounts.',
  },
  REFUND_NOT_DEBITED: { what: 'Refund not debited', remedy: 'Ask Razorpay why it was not taken off a settlement.' },
  DISPUTE_DIFFERS: { what: 'Dispute debited with another amount', remedy: 'Ask Razorpay for a correction.' },
  SUM_DIFFERS: { what: 'Settlement is not the sum of its items', remedy: askForCorrection },
  SETTLEMENT_FAILED: {
    what: 'Settlement returned by the bank',
    remedy: 'Check your bank account at Razorpay; the money is in the next settlement.',
  },
  NUMBER_RECORDED: {
    what: 'UTR recorded as another transfer',
    remedy: 'Find on the statement of your bank what the recorded transfer was: octroi customers find with the UTR.',
  },
};

const itemSchema = z.object({
  entityId: z.string(),
  type: z.string(),
  paymentId: z.string().nullable(),
  disputeId: z.string().nullable(),
  amount: rupeesSchema,
  /** With the GST on it. */
  fee: rupeesSchema,
  gstOnFee: rupeesSchema,
  net: rupeesSchema,
  settledAt: instantSchema.nullable(),
  description: z.string().nullable(),
});

export const listSettlements = defineOperatorCall({
  name: 'listSettlements',
  summary: 'Razorpay’s settlements with fees and GST, oldest first, and every difference from the books',
  auth: 'operator',
  input: z.strictObject({
    /** The days of the daily comparison when not given. */
    month: monthSchema.optional(),
    /** Also the items of each settlement. */
    items: z.boolean().default(false),
  }),
  reply: z.object({
    /** The last day that was read from Razorpay. */
    readUntil: daySchema.nullable(),
    settlements: z.array(
      z.object({
        settlementId: z.string(),
        day: daySchema,
        utr: z.string().nullable(),
        status: z.string(),
        payments: rupeesSchema,
        refunds: rupeesSchema,
        other: rupeesSchema,
        fees: rupeesSchema,
        gstOnFees: rupeesSchema,
        settled: rupeesSchema,
        items: z.array(itemSchema),
      }),
    ),
    differences: z.array(
      z.object({
        day: daySchema,
        kind: z.enum(differenceKinds),
        /** The payment, refund, dispute, settlement or item, by Razorpay’s id. */
        id: z.string(),
        settlementId: z.string().nullable(),
        expected: rupeesSchema,
        found: rupeesSchema,
      }),
    ),
  }),
});

export const settlementCalls = { listSettlements };
