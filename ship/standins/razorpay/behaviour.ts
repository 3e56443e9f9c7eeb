import { z } from 'zod';
import { failureReasonSchema } from '#ship/standins/razorpay/failures.ts';

export const outcomeSchema = z.union([z.enum(['success', 'pending', 'late-authorisation']), failureReasonSchema]);

const ms = (max: number) => z.int().min(0).max(max);
const dayMs = 86_400_000;

const webhooksSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Delay before the first attempt. */
  delayMs: ms(dayMs).default(0),
  /** Further deliveries of each event, with the same event id. */
  duplicates: z.int().min(0).max(20).default(0),
  /** Simultaneous events arrive newest first. */
  shuffle: z.boolean().default(false),
  signWith: z.enum(['right', 'wrong']).default('right'),
});

const lateAuthorisationSchema = z.strictObject({
  /** On the stand-in's clock, counted from the payer's approval. */
  failAfterMs: ms(dayMs).default(600_000),
  authorizeAfterMs: ms(3 * dayMs).default(3_600_000),
});

/** Every failure that can be simulated; an absent field works normally. */
export const behaviourSchema = z.strictObject({
  webhooks: webhooksSchema.prefault({}),
  ordersCreate: z.enum(['ok', 'fail-after-create-500', 'timeout-after-create', '429', 'fail-500']).default('ok'),
  refunds: z.enum(['ok', 'pending', 'fail', 'insufficient-balance', 'timeout-after-create', 'fail-500']).default('ok'),
  /** The daily settlement: correct, with a fee or a sum that is ₹1 off, or not made. */
  settlements: z.enum(['ok', 'wrong-fee', 'wrong-sum', 'none']).default('ok'),
  /** When a dispute takes its amount: once it is lost (as Razorpay documents it), or held back from its opening on. */
  disputes: z.enum(['deduct-when-lost', 'hold']).default('deduct-when-lost'),
  checkoutReturn: z.enum(['ok', 'wrong-signature', 'browser-never-returns']).default('ok'),
  /** When set, approved payments fail first and are authorised later. */
  lateAuthorisation: lateAuthorisationSchema.nullable().default(null),
  /** Payments are captured with this amount instead of their order's. */
  captureWrongAmountPaise: z.int().min(1).nullable().default(null),
  /** Each payment is captured twice, as two payments of the same order. */
  captureTwice: z.boolean().default(false),
  /** Outcomes of the next payments, in order; after them the card or UPI ID decides again. */
  nextPayments: z.array(outcomeSchema).max(100).default([]),
});

export type Behaviour = z.infer<typeof behaviourSchema>;
