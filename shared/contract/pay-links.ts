import { z } from 'zod';
import { defineCall } from './call.ts';
import { ids } from './ids.ts';
import { payByTransfer } from './bank-transfers.ts';
import { createOrder, cycleIdsSchema, verifyPayment } from './payments.ts';
import { emailSchema } from './email.ts';
import { catalogTextSchema, daySchema, rupeesSchema } from './values.ts';

/** What stands behind the `#` of a pay link: the permission to pay for what it names (decision 077). In bodies alone, as addresses are logged. */
const linkSchema = z.string().min(1).max(600);

const ofLink = z.strictObject({ link: linkSchema });

export const payLinkStates = [
  'OPEN',
  /** A payment is being confirmed, or held. */
  'CONFIRMING',
  /** A debit by mandate may pay for its days. */
  'DEBITED',
  'PAID',
  'WITHDRAWN',
  'REPLACED',
  /** Not on sale any more as it was added. */
  'CHANGED',
  'UNAVAILABLE',
] as const;
export type PayLinkState = (typeof payLinkStates)[number];

const billSchema = z.object({
  /** As it stands on invoices. */
  customerName: z.string(),
  /** Who sells it, as on invoices. */
  seller: z.object({ name: z.string(), gstin: z.string() }),
  productName: z.string(),
  lines: z.array(
    z.object({
      planName: catalogTextSchema,
      /** The days that it would have if it were paid now; null for a pack, which has those of its plan. */
      days: z.object({ fromDate: daySchema, toDate: daySchema }).nullable(),
      amount: rupeesSchema,
    }),
  ),
  amount: rupeesSchema,
  taxableValue: rupeesSchema,
  /** Only those that are charged. */
  taxes: z.array(z.object({ name: z.enum(['CGST', 'SGST', 'UTGST', 'IGST']), amount: rupeesSchema })),
  purchaseOrder: z.string().nullable(),
  /** It can be paid by bank transfer too. */
  byTransfer: z.boolean(),
  /** Of what was sold to be paid later: its invoice, of which the amount is due. Value and taxes are those of the invoice. */
  invoice: z.object({ number: z.string(), total: rupeesSchema, dueOn: daySchema }).nullable(),
});
export type PayLinkBill = z.output<typeof billSchema>;

export const readPayLink = defineCall({
  name: 'readPayLink',
  summary: 'For whoever holds a pay link: what is to be paid, or why it can’t be any more',
  method: 'POST',
  path: '/pay-links/read',
  auth: 'none',
  body: ofLink,
  reply: z.object({
    state: z.enum(payLinkStates),
    /** While it can be paid, or is being paid. */
    bill: billSchema.nullable(),
  }),
  refusals: ['not_found', 'too_many_requests'],
});

export const orderByPayLink = defineCall({
  name: 'orderByPayLink',
  summary: 'For whoever holds a pay link: the payment order of what it names',
  method: 'POST',
  path: '/pay-links/order',
  auth: 'none',
  body: ofLink,
  reply: z.object({ orderId: z.string(), amount: rupeesSchema, currency: z.literal('INR') }),
  mayCharge: true,
  refusals: [...createOrder.refusals, 'link_expired'],
});

export const transferByPayLink = defineCall({
  name: 'transferByPayLink',
  summary: 'For whoever holds a pay link: the account number to which exactly the amount is transferred',
  method: 'POST',
  path: '/pay-links/bank-transfer',
  auth: 'none',
  body: ofLink,
  reply: z.object({
    amount: rupeesSchema,
    /** The customer's account number at the payment provider. */
    account: z.object({ name: z.string(), number: z.string(), ifsc: z.string(), bank: z.string() }),
    /** What may be transferred instead, as the customer has declared to deduct tax (TDS). */
    less: z.object({ percent: z.number(), tds: rupeesSchema, amount: rupeesSchema }).nullable(),
  }),
  mayCharge: true,
  refusals: [...payByTransfer.refusals, 'link_expired'],
});

export const verifyByPayLink = defineCall({
  name: 'verifyByPayLink',
  summary: 'For whoever paid by a pay link: report the payment from the checkout, and ask for its papers by mail',
  method: 'POST',
  path: '/pay-links/verify',
  auth: 'none',
  body: z.strictObject({
    link: linkSchema,
    paymentId: ids.payment,
    orderId: ids.order,
    signature: z.string().min(1).max(200),
    /** Gets the papers of this payment, beside the customer. */
    email: emailSchema.nullable(),
  }),
  reply: z.object({ status: z.enum(['success', 'pending', 'refunded']) }),
  mayCharge: true,
  refusals: [...verifyPayment.refusals, 'too_many_requests'],
});

export const makePayLink = defineCall({
  name: 'makePayLink',
  summary:
    'A link by which anybody can pay for unpaid subscriptions of an activation, or the bill of one that is paid later, without an account',
  method: 'POST',
  path: '/billing/:activationId/pay-link',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  body: z.strictObject({
    billingCycleIds: cycleIdsSchema,
    /** Ends the links of this activation so far. */
    endsEarlier: z.boolean(),
  }),
  reply: z.object({ url: z.string() }),
  refusals: ['account_blocked', 'not_found', 'nothing_to_pay', 'profile_incomplete', 'too_many_requests'],
});
