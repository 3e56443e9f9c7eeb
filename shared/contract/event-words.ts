import type { WebhookEventType } from './webhook-events.ts';

/** When each event is sent, for those who read the documents of an API or of operators. */
export const webhookWords: Readonly<Record<WebhookEventType, string>> = {
  'quota.reached': '60, 80 or 100 % of a quota is used',
  'cycle.activated': 'A plan starts to give access',
  'cycle.ending': 'A plan ends in 7, 3 and 1 days, and nothing is paid after it',
  'cycle.ended': 'The days of a plan are over, or it was deactivated, fully refunded or replaced',
  'cycle.cancelled': 'A plan was cancelled before it started',
  'invoice.issued': 'A tax invoice has its number',
  'api.deprecated': 'An API, a version or an operation is deprecated, and you hold a key for it',
  'payment.failed': 'A payment failed',
  'refund.started': 'A refund was started',
  'refund.completed': 'A refund was paid',
  'dispute.opened': 'Your bank disputes a payment (chargeback)',
  'dispute.ended': 'The bank has decided',
};
