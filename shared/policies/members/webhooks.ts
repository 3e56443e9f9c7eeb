import type * as calls from '#shared/contract/webhooks.ts';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import type { WebhookEventType } from '#shared/contract/webhook-events.ts';
import { type MemberPolicies, ownerOnly, type PasskeyRules, technical } from './member-policy.ts';

/** An address and what was sent there may hold tokens, so that a viewer sees neither. */
export const webhooksRights = {
  listWebhooks: technical,
  createWebhook: technical,
  updateWebhook: technical,
  deleteWebhook: technical,
  rollWebhookSecret: technical,
  testWebhook: technical,
  listWebhookDeliveries: technical,
  listWebhookAttempts: technical,
  replayWebhookDelivery: technical,
} satisfies MemberPolicies<typeof calls>;

/** A secret, and where events go. */
export const webhooksPasskeys = {
  createWebhook: 'always',
  updateWebhook: 'always',
  deleteWebhook: 'never',
  rollWebhookSecret: 'always',
  testWebhook: 'never',
  replayWebhookDelivery: 'never',
} satisfies PasskeyRules<typeof calls>;

/** Who may choose an event for a webhook, and read what was sent of it: of money only who may see money too. */
const hearers: { readonly [Type in WebhookEventType]: readonly MemberRole[] } = {
  'quota.reached': technical,
  'cycle.activated': technical,
  'cycle.ending': technical,
  'cycle.ended': technical,
  'cycle.cancelled': ownerOnly,
  'invoice.issued': ownerOnly,
  'api.deprecated': technical,
  'bill.due': ownerOnly,
  'payment.failed': ownerOnly,
  'mandate.confirmed': ownerOnly,
  'mandate.ended': ownerOnly,
  'renewal.announced': ownerOnly,
  'renewal.skipped': ownerOnly,
  'renewal.resumed': ownerOnly,
  'renewal.withheld': ownerOnly,
  'renewal.paid': ownerOnly,
  'renewal.failed': ownerOnly,
  'recharge.agreed': ownerOnly,
  'recharge.ended': ownerOnly,
  'recharge.announced': ownerOnly,
  'recharge.skipped': ownerOnly,
  'recharge.withheld': ownerOnly,
  'recharge.paid': ownerOnly,
  'recharge.failed': ownerOnly,
  'refund.started': ownerOnly,
  'refund.completed': ownerOnly,
  'dispute.opened': ownerOnly,
  'dispute.ended': ownerOnly,
};

const isHeard = (type: string): type is WebhookEventType => Object.hasOwn(hearers, type);

/** A test event has nothing of the customer. */
export const mayHear = (role: MemberRole, type: string): boolean => !isHeard(type) || hearers[type].includes(role);
