import { z } from 'zod';
import { windowsSchema } from '#ship/standins/razorpay/billing-cycles.ts';
import { failureReasonSchema } from '#ship/standins/razorpay/failures.ts';

export const outcomeSchema = z.union([z.enum(['success', 'pending', 'late-authorisation']), failureReasonSchema]);

const ms = (max: number) => z.int().min(0).max(max);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

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

/** What becomes of a call: refused before it took effect, or done and its response lost. */
const callSchema = z
  .enum([
    'ok',
    'fail-after-create-500',
    'fail-after-create-502',
    'fail-after-create-504',
    'timeout-after-create',
    '429',
    'fail-403',
    'fail-500',
    'fail-502',
    'fail-504',
  ])
  .default('ok');
export type CallMode = z.infer<typeof callSchema>;

const mandatesSchema = z.strictObject({
  /** Does the account take recurring payments? A feature on request; without it orders with a `token` are refused. */
  active: z.boolean().default(true),
  /** What the payer's bank says once the first payment is authorised; `wait` until it is said by a control. */
  registration: z.enum(['confirm', 'reject', 'wait']).default('confirm'),
  /** What the network says to a cancellation by the business, and after which time of the stand-in's clock. */
  cancellation: z.enum(['confirm', 'fail']).default('confirm'),
  cancelAfterMs: ms(dayMs).default(1_000),
  /** When the payer is notified of a debit, counted from its request. */
  noticeAfterMs: ms(dayMs).default(0),
  /** The bank is asked so long after the notice, within the network's hours. */
  debitAfterMs: ms(7 * dayMs).default(25 * hourMs),
  windows: windowsSchema.default([
    ['00:00', '10:00'],
    ['13:00', '17:00'],
    ['21:30', '24:00'],
  ]),
  /** A debit that fails for a passing reason is tried again, each time after this. */
  retries: z.int().min(0).max(3).default(3),
  retryAfterMs: ms(dayMs).default(hourMs),
  /** Above this amount (paise) the payer is asked for the PIN, for so long. */
  pinAbovePaise: z.int().default(1_500_000),
  pinForMs: ms(dayMs).default(10 * hourMs),
  /** Outcomes of the next debits at the bank, in order; success after them. */
  nextDebits: z.array(outcomeSchema).max(100).default([]),
  /** The value of `fail_existing` that returns the existing customer; Razorpay's pages contradict each other. */
  returnsExisting: z.enum(['0', '1']).default('0'),
});

/** Every failure that can be simulated; an absent field works normally. */
export const behaviourSchema = z.strictObject({
  webhooks: webhooksSchema.prefault({}),
  ordersCreate: callSchema,
  customersCreate: callSchema,
  recurringCreate: callSchema,
  tokensCancel: callSchema,
  /** Has the account Smart Collect? A feature on request; without it no virtual account is made. */
  smartCollect: z.boolean().default(true),
  virtualAccountsCreate: callSchema,
  mandates: mandatesSchema.prefault({}),
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
