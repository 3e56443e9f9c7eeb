import { z } from 'zod';
import { webhookWords } from './event-words.ts';
import {
  webhookBodySchema,
  type WebhookEventData,
  type WebhookEventType,
  webhookEventTypes,
} from './webhook-events.ts';

/** Of OpenAPI 3.0, whose schemas are its own, and of later ones. */
export type WebhookDialect = 'openapi-3.0' | 'draft-2020-12';

/** What the headers of a delivery are, as Standard Webhooks defines them. */
const signedHeaders = [
  ['webhook-id', 'The id of the event, the same in every attempt.', 'evt_3KXQ7Z5M2C'],
  [
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Refuse those of more than five minutes ago.',
    '1795910400',
  ],
  [
    'webhook-signature',
    'v1 and the base64 of the HMAC-SHA256 of webhook-id.webhook-timestamp.body with your secret; two while a rolled secret still signs.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

/** An event as OpenAPI describes the request that a receiver gets. */
export function describeWebhook(
  type: string,
  when: string,
  schema: z.ZodType,
  { dialect = 'draft-2020-12', example }: { dialect?: WebhookDialect; example?: z.input<typeof schema> } = {},
) {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { target: dialect });
  return {
    post: {
      operationId: `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_part, letter: string) => letter.toUpperCase())}`,
      summary: when,
      description: 'Standard Webhooks. May arrive twice, with the same webhook-id, and in any order.',
      // It is signed; a key of the API is not sent.
      security: [],
      parameters: signedHeaders.map(([name, description, one]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
        example: one,
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, ...(example === undefined ? {} : { example }) } },
      },
      responses: { '2XX': { description: 'Received. Otherwise it is sent again, ten times in 76 hours.' } },
    },
  };
}

const inr = 'INR' as const;
const money = { paymentId: 'pay_QX2k8mYw4LbT1a', amount: 1499, currency: inr };
const refund = { refundId: 'rf_8T2M6K', ...money };
const dispute = { disputeId: 'disp_QY7d3nRk5VcU2b', ...money };

const mandate = { mandateId: 'MAN-6J3T8W' };
const recharge = { ...mandate, packName: 'Extra 1000', quotaUnits: 10_000 };
const debit = { ...mandate, orderId: 'ORD-2V9K4D', attempt: 1, amount: 1499, currency: inr };

const examples: { [Type in WebhookEventType]: WebhookEventData<Type> } = {
  'quota.reached': { quota: 'monthly', percent: 80, used: 8000, limit: 10_000, renewsOn: '2026-12-01' },
  'cycle.activated': {},
  'cycle.ending': { daysLeft: 3 },
  'cycle.ended': { reason: 'expired' },
  'cycle.cancelled': { refundAmount: 1499 },
  'invoice.issued': {
    documentId: 'doc_5R9W2H',
    number: 'INV/26-27/0042',
    date: '2026-11-01',
    total: 1499,
    currency: inr,
  },
  'bill.due': {
    notice: 'soon',
    amount: 1499,
    currency: inr,
    dueOn: '2026-12-01',
    stopsOn: '2026-12-16',
    invoice: 'INV/26-27/0042',
  },
  'api.deprecated': {
    deprecated: 'v1',
    since: '2026-11-01',
    sunset: '2027-05-01',
    note: 'Use v2.',
    link: 'https://example.com/v2',
  },
  'payment.failed': { ...money, reason: 'The bank declined it.' },
  'mandate.confirmed': { ...mandate, ceiling: 1874, currency: inr, lastDay: '2031-10-30', pinEachTime: false },
  'mandate.ended': { ...mandate, endedBy: 'CUSTOMER' },
  'renewal.announced': {
    ...mandate,
    amount: 1499,
    currency: inr,
    renewsFrom: '2026-12-01',
    renewsTo: '2026-12-31',
    debitOn: '2026-11-27',
    skipUntil: '2026-11-26T18:30:00.000Z',
    pinEachTime: false,
  },
  'renewal.skipped': { ...mandate, renewsFrom: '2026-12-01', skippedBy: 'CUSTOMER' },
  'renewal.resumed': { ...mandate, renewsFrom: '2026-12-01' },
  'renewal.withheld': { ...mandate, renewsFrom: '2026-12-01', reason: 'dearer' },
  'renewal.paid': { ...debit, paymentId: money.paymentId },
  'renewal.failed': {
    ...debit,
    paymentId: money.paymentId,
    reason: 'Your account has too little money.',
    againOn: '2026-11-29',
  },
  'recharge.agreed': { ...mandate, packName: 'Extra 1000', units: 1000, monthlyCeiling: 500, currency: inr },
  'recharge.ended': mandate,
  'recharge.announced': {
    ...recharge,
    units: 1000,
    amount: 99,
    currency: inr,
    unitsEndAt: '2026-11-20T09:30:00.000Z',
    skipUntil: '2026-11-18T03:00:00.000Z',
    pinEachTime: false,
  },
  'recharge.skipped': { ...recharge, skippedBy: 'CUSTOMER' },
  'recharge.withheld': { ...recharge, unitsEndAt: '2026-11-20T09:30:00.000Z', reason: 'monthly_ceiling' },
  'recharge.paid': { ...debit, amount: 99, attempt: 1, paymentId: money.paymentId },
  'recharge.failed': {
    ...debit,
    amount: 99,
    attempt: 1,
    paymentId: money.paymentId,
    reason: 'Your account has too little money.',
  },
  'refund.started': { ...refund, reason: 'Cancelled before it started' },
  'refund.completed': refund,
  'dispute.opened': dispute,
  'dispute.ended': { ...dispute, outcome: 'payment_stands' },
};

/** Every event that customers' webhooks have, with an example of a plan of `productId`. */
export function describeWebhooks(productId: string, dialect: WebhookDialect) {
  const plan = {
    activationId: 'act_4H7P2M',
    productId,
    billingCycleId: 'cyc_9D3F6K',
    planId: 'growth',
    planName: 'Growth',
    fromDate: '2026-11-01',
    toDate: '2026-12-01',
  };
  const describe = (type: WebhookEventType) => {
    const body = { type, timestamp: '2026-11-26T06:30:00.000Z', data: { ...plan, ...examples[type] } };
    // The pages show them elsewhere, once for all products.
    return {
      'x-octroi-event': true,
      ...describeWebhook(type, webhookWords[type], webhookBodySchema(type), { dialect, example: body }),
    };
  };
  return Object.fromEntries(webhookEventTypes.map((type) => [type, describe(type)]));
}
