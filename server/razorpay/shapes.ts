import { z } from 'zod';

/** The objects of Razorpay's API, with the fields that the portal reads. */

/** An object that PHP writes as a list when it is empty. */
const emptyAsList = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? null : value), shape.nullish());

/** A text that the provider may send as null or leave out. */
const maybeText = z.string().nullish();

export const orderSchema = z.object({
  id: z.string(),
  amount: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.string(),
});
export const paymentSchema = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  // created, authorized, captured, refunded, failed; decide by this alone, never by `captured` or the error fields.
  status: z.string(),
  order_id: z.string().nullish(),
  method: z.string().nullish(),
  // The mandate that was given with it, or that it was debited by.
  token_id: maybeText,
  error_description: maybeText,
  error_reason: maybeText,
  // All refunds that the provider has accepted, including those not yet paid out.
  amount_refunded: z.int().nullish(),
  // Null until it is captured; the fee includes its tax.
  fee: z.int().nullish(),
  tax: z.int().nullish(),
  created_at: z.int(),
});
/** The plan and cause of a refund that this portal requested; Razorpay sends a list where there are no notes. */
const notesOfRefund = z.object({ cycle: z.string().optional(), cause: z.string().optional() }).catch({});
export const refundSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  receipt: maybeText,
  notes: notesOfRefund,
  status: z.enum(['pending', 'processed', 'failed']),
  created_at: z.int(),
});
export const customerSchema = z.object({ id: z.string() });
/** A mandate. Only a `confirmed` one can be debited. */
export const tokenSchema = z.object({
  id: z.string(),
  recurring_details: z.object({ status: z.string(), failure_reason: maybeText }).nullish(),
  // When it was last debited.
  used_at: z.int().nullish(),
});
/** An account number for bank transfers (Smart Collect). */
export const virtualAccountSchema = z.object({
  id: z.string(),
  receivers: z.tuple([
    z.object({ account_number: z.string(), ifsc: z.string(), name: z.string(), bank_name: maybeText }),
  ]),
});
/** `bank_reference`: the number that the payer's bank gave it. */
export const bankTransferSchema = z.object({ bank_reference: z.string(), virtual_account_id: z.string() });
export const debitSchema = z.object({ razorpay_payment_id: z.string() });
/** A token is also answered without its details: that the request was taken is all that is needed. */
export const takenSchema = z.object({});
export const disputeSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  // The amount that the provider has deducted; 0 before that.
  amount_deducted: z.int().nullish(),
  reason_code: maybeText,
  reason_description: maybeText,
  phase: maybeText,
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  respond_by: z.int().nullish(),
  // When evidence was last submitted; null before, and when more is asked for.
  evidence: emptyAsList(z.object({ submitted_at: z.int().nullish() })),
  created_at: z.int(),
});
export const settlementSchema = z.object({
  id: z.string(),
  amount: z.int(),
  status: z.enum(['created', 'processed', 'failed']),
  // Not known yet, however that is said: once it is stored it never changes.
  utr: maybeText.transform((utr) => (utr === '' ? null : utr)),
  created_at: z.int(),
});
/** A line of the settlement recon: a payment, refund, adjustment or something else that moved the balance. */
export const reconItemSchema = z.object({
  entity_id: z.string(),
  type: z.string(),
  debit: z.int(),
  credit: z.int(),
  amount: z.int(),
  currency: z.string(),
  // With its GST, `tax`.
  fee: z.int(),
  tax: z.int(),
  on_hold: z.boolean().nullish(),
  settled: z.boolean(),
  created_at: z.int(),
  settled_at: z.int().nullish(),
  settlement_id: maybeText,
  description: maybeText,
  payment_id: maybeText,
  order_id: maybeText,
  dispute_id: maybeText,
});
export const collectionOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
export const errorSchema = z.object({ error: z.object({ code: z.string(), description: z.string() }) });

export type ProviderOrder = z.output<typeof orderSchema>;
export type ProviderPayment = z.output<typeof paymentSchema>;
export type ProviderVirtualAccount = z.output<typeof virtualAccountSchema>;
export type ProviderBankTransfer = z.output<typeof bankTransferSchema>;
export type ProviderToken = z.output<typeof tokenSchema>;
export type ProviderRefund = z.output<typeof refundSchema>;
export type ProviderDispute = z.output<typeof disputeSchema>;
export type ProviderSettlement = z.output<typeof settlementSchema>;
export type ProviderReconItem = z.output<typeof reconItemSchema>;
