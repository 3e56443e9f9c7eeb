import type { PortalEventType } from './event.ts';

/** Events without a mail: another mail covers them, the customer caused them, or only programs of the provider hear of them. */
type NotMailed =
  | 'approval.requested'
  | 'customer.created'
  | 'cycle.activated'
  | 'cycle.cancelled'
  | 'cycle.ended'
  | 'document.finished'
  | 'document.issued'
  | 'invoice.issued'
  | 'mail.resent'
  | 'payment.captured'
  | 'recharge.paid'
  | 'recharge.skipped'
  | 'refund.failed'
  | 'renewal.paid'
  | 'renewal.resumed'
  | 'renewal.skipped'
  | 'tax_claim.declared';
export type MailedType = Exclude<PortalEventType, NotMailed>;

/**
 * Mails that every member, the owner too, can switch off. All others carry documents that the law requires (CGST Act s.31), tell of money that was
 * taken or given back with one, or warn of misuse.
 */
export const optionalMails = [
  'cycle.ending',
  'quota.reached',
  'payment.failed',
  'refund.completed',
  'webhook.disabled',
  'support.answered',
] as const satisfies readonly MailedType[];

/** Every kind that a member can choose, as far as its role allows (shared/policies/members/mails.ts). */
export const mailKinds = [...optionalMails, 'papers', 'bills', 'renewals', 'service', 'keys'] as const;
export type MailKind = (typeof mailKinds)[number];
