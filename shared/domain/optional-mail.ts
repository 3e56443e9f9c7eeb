import type { PortalEventType } from './event.ts';

/**
 * Mails that a customer can switch off. All others carry documents that the law requires (CGST Act s.31), tell of money that was taken or
 * given back with one, or warn of misuse.
 */
export const optionalMails = [
  'cycle.ending',
  'quota.reached',
  'payment.failed',
  'refund.completed',
  'webhook.disabled',
  'support.answered',
] as const satisfies readonly PortalEventType[];
export type OptionalMail = (typeof optionalMails)[number];

export function isOptionalMail(type: PortalEventType): type is OptionalMail {
  return optionalMails.some((each) => each === type);
}
