import { z } from 'zod';

// The wire format of Razorpay's API, field for field; the journal stores it unchanged.

/** An object of up to 15 pairs, or an empty array when there are none. */
export const notesSchema = z.union([z.tuple([]), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))]);

export const orderSchema = z.object({
  id: z.string(),
  entity: z.literal('order'),
  amount: z.int(),
  amount_paid: z.int(),
  amount_due: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  offer_id: z.null(),
  status: z.enum(['created', 'attempted', 'paid']),
  attempts: z.int(),
  notes: notesSchema,
  created_at: z.int(),
  /** Of an order for a debit by mandate: when the payer is notified. */
  notification: z.object({ id: z.string(), token_id: z.string(), payment_after: z.int() }).optional(),
});

export const cardSchema = z.object({
  id: z.string(),
  entity: z.literal('card'),
  name: z.string(),
  last4: z.string(),
  network: z.string(),
  type: z.string(),
  issuer: z.string().nullable(),
  international: z.boolean(),
  emi: z.boolean(),
  sub_type: z.string(),
  token_iin: z.null(),
});

export const paymentMethodSchema = z.enum(['card', 'upi', 'netbanking']);

export const paymentSchema = z.object({
  id: z.string(),
  entity: z.literal('payment'),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  /** Null for a transfer to a virtual account. */
  order_id: z.string().nullable(),
  invoice_id: z.null(),
  international: z.boolean(),
  method: z.enum([...paymentMethodSchema.options, 'emandate', 'bank_transfer']),
  amount_refunded: z.int(),
  refund_status: z.enum(['partial', 'full']).nullable(),
  captured: z.boolean(),
  description: z.string().nullable(),
  card_id: z.string().nullable(),
  bank: z.string().nullable(),
  wallet: z.null(),
  vpa: z.string().nullable(),
  email: z.string(),
  contact: z.string(),
  customer_id: z.string().optional(),
  /** The mandate that was given with the payment, or that it is debited by. */
  token_id: z.string().optional(),
  notes: notesSchema,
  fee: z.int().nullable(),
  tax: z.int().nullable(),
  error_code: z.string().nullable(),
  error_description: z.string().nullable(),
  error_source: z.string().nullable(),
  error_step: z.string().nullable(),
  error_reason: z.string().nullable(),
  acquirer_data: z.record(z.string(), z.string().nullable()),
  created_at: z.int(),
  upi: z
    .object({
      flow: z.literal('intent').optional(),
      payer_account_type: z.literal('bank_account').optional(),
      vpa: z.string().optional(),
    })
    .optional(),
});

export const refundSchema = z.object({
  id: z.string(),
  entity: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  payment_id: z.string(),
  notes: notesSchema,
  receipt: z.string().nullable(),
  acquirer_data: z.object({ arn: z.string().nullable() }),
  created_at: z.int(),
  batch_id: z.null(),
  status: z.enum(['pending', 'processed', 'failed']),
  speed_processed: z.string(),
  speed_requested: z.string(),
});

export const disputeSchema = z.object({
  id: z.string(),
  entity: z.literal('dispute'),
  payment_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  amount_deducted: z.int(),
  reason_code: z.string(),
  reason_description: z.string(),
  respond_by: z.int(),
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  phase: z.enum(['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration']),
  created_at: z.int(),
  /** Its documents are not kept. */
  evidence: z
    .object({ amount: z.int(), summary: z.null(), submitted_at: z.int().nullable() })
    .default({ amount: 0, summary: null, submitted_at: null }),
});

export const customerSchema = z.object({
  id: z.string(),
  entity: z.literal('customer'),
  name: z.string().nullable(),
  email: z.string().nullable(),
  contact: z.string().nullable(),
  gstin: z.string().nullable(),
  notes: notesSchema,
  created_at: z.int(),
});

export const tokenSchema = z.object({
  id: z.string(),
  entity: z.literal('token'),
  token: z.string(),
  bank: z.string().nullable(),
  wallet: z.null(),
  method: z.enum(['card', 'upi', 'emandate']),
  card: cardSchema.optional(),
  vpa: z.object({ username: z.string(), handle: z.string(), name: z.null() }).optional(),
  recurring: z.literal(true),
  recurring_details: z.object({
    status: z.enum(['initiated', 'confirmed', 'rejected', 'paused', 'cancellation_initiated', 'cancelled', 'expired']),
    failure_reason: z.string().nullable(),
  }),
  auth_type: z.null(),
  mrn: z.null(),
  /** When it was last used; null before it was confirmed. */
  used_at: z.int().nullable(),
  created_at: z.int(),
  start_time: z.int(),
  dcc_enabled: z.literal(false),
  max_amount: z.int(),
  expired_at: z.int(),
});

const bankAccountSchema = z.object({
  id: z.string(),
  entity: z.literal('bank_account'),
  ifsc: z.string(),
  bank_name: z.string(),
  name: z.string(),
  notes: notesSchema,
  account_number: z.string(),
});

export const virtualAccountSchema = z.object({
  id: z.string(),
  name: z.string(),
  entity: z.literal('virtual_account'),
  status: z.enum(['active', 'closed']),
  description: z.string().nullable(),
  amount_expected: z.int().nullable(),
  notes: notesSchema,
  amount_paid: z.int(),
  customer_id: z.string().nullable(),
  close_by: z.int().nullable(),
  closed_at: z.int().nullable(),
  created_at: z.int(),
  receivers: z.array(bankAccountSchema),
  /** The only accounts that may pay; anyone may, without them. */
  allowed_payers: z
    .array(
      z.object({
        id: z.string(),
        type: z.literal('bank_account'),
        bank_account: z.object({ ifsc: z.string(), account_number: z.string() }),
      }),
    )
    .optional(),
});

export const bankTransferSchema = z.object({
  id: z.string(),
  entity: z.literal('bank_transfer'),
  payment_id: z.string(),
  mode: z.enum(['NEFT', 'RTGS', 'IMPS', 'UPI']),
  /** The UTR. */
  bank_reference: z.string(),
  amount: z.int(),
  /** Null where the payer's bank does not say it. */
  payer_bank_account: bankAccountSchema.nullable(),
  virtual_account_id: z.string(),
});

export const settlementSchema = z.object({
  id: z.string(),
  entity: z.literal('settlement'),
  amount: z.int(),
  status: z.enum(['created', 'processed', 'failed']),
  fees: z.int(),
  tax: z.int(),
  utr: z.string(),
  created_at: z.int(),
});

/** A line of `/v1/settlements/recon/combined`. */
export const reconItemSchema = z.object({
  entity_id: z.string(),
  type: z.enum(['payment', 'refund', 'adjustment']),
  debit: z.int(),
  credit: z.int(),
  amount: z.int(),
  currency: z.string(),
  fee: z.int(),
  tax: z.int(),
  on_hold: z.boolean(),
  settled: z.boolean(),
  created_at: z.int(),
  settled_at: z.int().nullable(),
  settlement_id: z.string().nullable(),
  posted_at: z.null(),
  credit_type: z.literal('default'),
  description: z.string().nullable(),
  notes: z.null(),
  payment_id: z.string().nullable(),
  settlement_utr: z.string().nullable(),
  order_id: z.string().nullable(),
  order_receipt: z.string().nullable(),
  method: z.string().nullable(),
  card_network: z.string().nullable(),
  card_issuer: z.string().nullable(),
  card_type: z.string().nullable(),
  dispute_id: z.string().nullable(),
});
export type Settlement = z.infer<typeof settlementSchema>;
export type ReconItem = z.infer<typeof reconItemSchema>;

export type Dispute = z.infer<typeof disputeSchema>;

export type Notes = z.infer<typeof notesSchema>;
export type Order = z.infer<typeof orderSchema>;
export type Card = z.infer<typeof cardSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type Customer = z.infer<typeof customerSchema>;
export type VirtualAccount = z.infer<typeof virtualAccountSchema>;
export type BankTransfer = z.infer<typeof bankTransferSchema>;
export type Token = z.infer<typeof tokenSchema>;
export type Refund = z.infer<typeof refundSchema>;

/** Razorpay's list envelope. */
export function collection<Item>(items: Item[]) {
  return { entity: 'collection' as const, count: items.length, items };
}
