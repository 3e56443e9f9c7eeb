import type { WebhookEventType } from './webhook-events.ts';

/** When each event is sent, for those who read the documents of an API or of operators. */
export const webhookWords: Readonly<Record<WebhookEventType, string>> = {
  'quota.reached': '60, 80 or 100 % of a quota is used',
  'cycle.activated': 'A plan starts to give access',
  'cycle.ending': 'A plan ends in 7, 3 and 1 days, and nothing is paid after it',
  'cycle.ended': 'The days of a plan are over, or it was deactivated, fully refunded or replaced',
  'cycle.cancelled': 'A plan was cancelled before it started',
  'invoice.issued': 'A tax invoice has its number',
  'bill.due':
    'A bill that you pay later is due in three days, today or again, is overdue, or has stopped the plans that are not paid',
  'api.deprecated': 'An API, a version or an operation is deprecated, and you hold a key for it',
  'payment.failed': 'A payment failed',
  'mandate.confirmed': 'Your bank has confirmed that a plan renews by itself',
  'mandate.ended': 'A plan no longer renews by itself, whoever ended that',
  'renewal.announced': 'The next period of a plan will be debited; until when it can be skipped',
  'renewal.skipped': 'The next period will not be debited: you skipped, removed or cancelled it',
  'renewal.resumed': 'The next period will be debited after all: the skip was taken back',
  'renewal.withheld': 'The next period will not be debited, or your bank has not answered, and the plan ends; and why',
  'renewal.paid': 'A debit has paid for the next period',
  'renewal.failed': 'A debit failed; its payment, if there was one, is payment.failed too',
  'recharge.agreed': 'You agreed that a pack is debited before units run out, or to another pack or ceiling',
  'recharge.ended': 'You turned recharges off; a mandate that ends is mandate.ended alone',
  'recharge.announced': 'Units run out in some days, and a pack will be debited; until when it can be skipped',
  'recharge.skipped': 'A pack will not be debited: you skipped it',
  'recharge.withheld': 'Units run out, and no pack is debited; and why',
  'recharge.paid': 'A debit has paid for a pack',
  'recharge.failed': 'A debit of a pack failed; its payment, if there was one, is payment.failed too',
  'refund.started': 'A refund was started',
  'refund.completed': 'A refund was paid',
  'dispute.opened': 'Your bank disputes a payment (chargeback)',
  'dispute.ended': 'The bank has decided',
};
