import { z } from 'zod';
import { failureReasonSchema } from '#standins/razorpay/failures.ts';

export const outcomeSchema = z.union([z.enum(['success', 'pending', 'late-authorisation']), failureReasonSchema]);

const ms = (max: number) => z.int().min(0).max(max);
const dayMs = 86_400_000;

const webhooksSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Wait before the first attempt. */
  delayMs: ms(dayMs).default(0),
  /** Further deliveries of each event, with the same event id. */
  duplicates: z.int().min(0).max(20).default(0),
  /** Events of one moment arrive newest first. */
  shuffle: z.boolean().default(false),
  signWith: z.enum(['right', 'wrong']).default('right'),
});

const lateAuthorisationSchema = z.strictObject({
  /** Of the stand-in's clock, counted from the payer's approval. */
  failAfterMs: ms(dayMs).default(600_000),
  authorizeAfterMs: ms(3 * dayMs).default(3_600_000),
});

/** Everything that can be made to go wrong; an absent field means that it goes right. */
export const behaviourSchema = z.strictObject({
  webhooks: webhooksSchema.prefault({}),
  ordersCreate: z.enum(['ok', 'fail-after-create-500', 'timeout-after-create', '429', 'fail-500']).default('ok'),
  refunds: z.enum(['ok', 'pending', 'fail', 'insufficient-balance', 'timeout-after-create', 'fail-500']).default('ok'),
  checkoutReturn: z.enum(['ok', 'wrong-signature', 'browser-never-returns']).default('ok'),
  /** When set, approved payments fail first and are authorised afterwards. */
  lateAuthorisation: lateAuthorisationSchema.nullable().default(null),
  /** Payments come in with this amount instead of their order's. */
  captureWrongAmountPaise: z.int().min(1).nullable().default(null),
  /** Each captured payment is captured a second time, as another payment of the same order. */
  captureTwice: z.boolean().default(false),
  /** Outcomes of the next payments, first come first served; afterwards the card or UPI ID decides again. */
  nextPayments: z.array(outcomeSchema).max(100).default([]),
});

export type Behaviour = z.infer<typeof behaviourSchema>;
