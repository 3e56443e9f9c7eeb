import { z } from 'zod';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { webhookWords } from '#shared/contract/event-words.ts';
import { cycleFacts, refund, webhookEventData } from '#shared/contract/webhook-events.ts';

const { shape: ofCustomer } = z.object({ customerId: z.string() });
const { shape: ofPlan } = cycleFacts.extend(ofCustomer);

/** Events that customers' webhooks have too, with the same names and data. */
export const sharedEvents = [
  'cycle.activated',
  'cycle.ending',
  'cycle.ended',
  'cycle.cancelled',
  'quota.reached',
  'refund.completed',
  'dispute.opened',
  'dispute.ended',
] as const satisfies readonly (keyof typeof webhookEventData)[];
export type SharedEventType = (typeof sharedEvents)[number];

const sharedWhen = { ...webhookWords, 'dispute.opened': 'A bank disputes a payment (chargeback)' };

const money = { amount: rupeesSchema, currency: z.literal('INR') };
const thread = {
  threadId: z.string(),
  messageId: z.string(),
  /** That the thread is about; null for a general one. */
  activationId: z.string().nullable(),
};

/**
 * Events with the facts of a plan: of a payment for several, those of the first. What an operator, a bank or Razorpay wrote may name somebody, and
 * is left out: these events outlive the customer's erasure.
 */
const ofPlans = {
  'payment.failed': { when: 'A payment failed', data: z.object({ paymentId: z.string(), ...money }) },
  'payment.captured': {
    when: 'A payment was captured: for a plan, to be refunded at once, or held until you say which of them (`octroi transfers`)',
    data: z.object({
      paymentId: z.string(),
      amount: rupeesSchema,
      currency: z.string(),
      use: z.enum(['plan', 'bill', 'refund', 'held']),
    }),
  },
  'refund.started': { when: 'A refund was started', data: z.object(refund) },
  'refund.failed': {
    when: 'Razorpay refused a refund, or a bank returned it; once for each attempt',
    data: z.object(refund),
  },
  'refund.transfer_due': { when: 'You have to pay a refund by bank transfer', data: z.object(refund) },
  'document.issued': {
    when: 'An invoice, voucher or credit note has its number',
    data: z.object({
      documentId: z.string(),
      kind: z.enum(['RECEIPT_VOUCHER', 'INVOICE', 'REFUND_VOUCHER', 'CREDIT_NOTE']),
      number: z.string(),
      date: daySchema,
      total: rupeesSchema,
      currency: z.literal('INR'),
    }),
  },
  'tds.declared': {
    when: 'A customer claims tax deducted at source, for you to accept or refuse',
    data: z.object({ claimId: z.string(), invoice: z.string(), quarter: z.string(), ...money }),
  },
} as const;

/** Events with the customer alone. */
const ofCustomers = {
  'customer.created': { when: 'Somebody signed in for the first time', data: z.object({}) },
  'customer.blocked': { when: 'An operator blocked a customer', data: z.object({}) },
  'customer.unblocked': { when: 'An operator took a block away', data: z.object({}) },
  'customer.erasure_asked': { when: 'A customer asked to be erased', data: z.object({}) },
  'customer.erased': { when: 'A customer was erased: delete what your programs keep', data: z.object({}) },
  'tax_claim.declared': {
    when: 'A customer declared that no tax is due, as a unit of an SEZ or from abroad',
    data: z.object({ claimId: z.string(), kind: z.enum(['SEZ', 'EXPORT']) }),
  },
  'thread.opened': { when: 'A customer wrote to support', data: z.object(thread) },
  'thread.replied': {
    when: 'A customer or you replied in a thread',
    data: z.object({ ...thread, author: z.enum(['CUSTOMER', 'PROVIDER']) }),
  },
  'approval.requested': {
    when: 'An operator asks for a second person',
    data: z.object({ approvalId: z.string(), call: z.string(), ...money }),
  },
} as const;

type PlanEventType = keyof typeof ofPlans;
type CustomerEventType = keyof typeof ofCustomers;
export type ProviderEventType = SharedEventType | PlanEventType | CustomerEventType;

/** The data of an event that only the provider hears of, besides the customer and the facts of its plan. */
export type ProviderEventData<Type extends PlanEventType | CustomerEventType> = z.input<
  (typeof ofPlans & typeof ofCustomers)[Type]['data']
>;

/** Every event of the provider's webhooks: when it is sent, and its data. None names a person: what a customer is called, `readCustomer` tells. */
const events = new Map<string, { when: string; data: z.ZodObject }>([
  ...Object.entries(ofCustomers).map(
    ([type, { when, data }]) => [type, { when, data: data.extend(ofCustomer) }] as const,
  ),
  ...sharedEvents.map(
    (type) => [type, { when: sharedWhen[type], data: webhookEventData[type].extend(ofPlan) }] as const,
  ),
  ...Object.entries(ofPlans).map(([type, { when, data }]) => [type, { when, data: data.extend(ofPlan) }] as const),
]);

export const isProviderEventType = (type: string): type is ProviderEventType => events.has(type);

/** Every type, in the order in which pages offer them. */
export const providerEventTypes: readonly ProviderEventType[] = [...events.keys()].filter(isProviderEventType);

/** When an event is sent. */
export const whenSent = (type: ProviderEventType): string => events.get(type)?.when ?? '';

/** The body of a delivery, as Standard Webhooks defines it. */
export function providerBodySchema(type: ProviderEventType) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: instantSchema,
    data: z.strictObject({ ...events.get(type)?.data.shape }),
  });
}
