import type { MemberRole } from '#shared/contract/member-roles.ts';
import { type MailedType, type MailKind, mailKinds } from '#shared/domain/mail-kind.ts';
import { everyMember, ofMoney, ownerOnly, seesMoney, seesTechnical, technical } from './member-policy.ts';

/** `account`: about the account itself, to the owner, who chooses nothing there. */
export type SentKind = MailKind | 'account';

interface Audience {
  /** Get it unless they switch it off. */
  gets: readonly MemberRole[];
  /** May have it: those who may read in the portal what it says. */
  may: readonly MemberRole[];
  /** Can't switch it off, as law or security needs it to arrive. */
  always: readonly MemberRole[];
}

/** Who of a customer gets which mails. A reply of support goes to who wrote in the thread too. */
export const audiences: Readonly<Record<SentKind, Audience>> = {
  'cycle.ending': { gets: ofMoney, may: everyMember, always: [] },
  'quota.reached': { gets: technical, may: everyMember, always: [] },
  // With a link that pays.
  'payment.failed': { gets: ofMoney, may: ofMoney, always: [] },
  'refund.completed': { gets: ofMoney, may: seesMoney, always: [] },
  // The address of a webhook may hold a token.
  'webhook.disabled': { gets: technical, may: technical, always: [] },
  'support.answered': { gets: ownerOnly, may: everyMember, always: [] },
  papers: { gets: ofMoney, may: seesMoney, always: ownerOnly },
  // With a link that pays.
  bills: { gets: ofMoney, may: ofMoney, always: ownerOnly },
  // Some have a link that pays.
  renewals: { gets: ofMoney, may: ofMoney, always: ownerOnly },
  service: { gets: technical, may: everyMember, always: ownerOnly },
  keys: { gets: technical, may: seesTechnical, always: technical },
  account: { gets: ownerOnly, may: ownerOnly, always: ownerOnly },
};

/** The kind of each mail. `addressed`: to the provider, to an accountant, or to an address that its event names. */
export const kindOfMail: { readonly [Type in MailedType]: SentKind | 'addressed' } = {
  'payment.received': 'papers',
  'transfer.held': 'papers',
  'bill.issued': 'bills',
  'bill.due': 'bills',
  'bill.reported': 'addressed',
  'bill.paid': 'papers',
  'payment.failed': 'payment.failed',
  'dispute.opened': 'papers',
  'dispute.ended': 'papers',
  'dispute.reported': 'addressed',
  'mandate.confirmed': 'renewals',
  'mandate.ended': 'renewals',
  'renewal.announced': 'renewals',
  'renewal.withheld': 'renewals',
  'renewal.failed': 'renewals',
  'recharge.agreed': 'renewals',
  'recharge.ended': 'renewals',
  'recharge.announced': 'renewals',
  'recharge.withheld': 'renewals',
  'recharge.failed': 'renewals',
  'cycle.invoiced': 'papers',
  'cycle.ending': 'cycle.ending',
  'quota.reached': 'quota.reached',
  'plan.granted': 'papers',
  'plan.withdrawn': 'papers',
  'quota.raised': 'service',
  'rate.set': 'service',
  'api.deprecated': 'service',
  'invoice.corrected': 'papers',
  'invoice.amended': 'papers',
  'invoice.cancelled': 'papers',
  'document.refused': 'papers',
  // To the address that the operator was shown, or another one.
  'documents.sent': 'account',
  'payer.papers_asked': 'addressed',
  'refund.started': 'papers',
  'refund.turned': 'papers',
  'refund.transfer_due': 'addressed',
  'refund.completed': 'refund.completed',
  'tds.declared': 'addressed',
  'tds.accepted': 'papers',
  'tds.refused': 'papers',
  'accountant.asked': 'addressed',
  'accountant.stopped': 'account',
  'month.packed': 'addressed',
  'member.invited': 'addressed',
  'member.asked': 'account',
  'member.joined': 'account',
  'member.removed': 'addressed',
  'member.left': 'account',
  'ownership.announced': 'addressed',
  'ownership.passed': 'addressed',
  'passkeys.changed': 'addressed',
  'key.new_network': 'keys',
  'key.revoked': 'keys',
  'webhook.disabled': 'webhook.disabled',
  'account.blocked': 'account',
  'account.unblocked': 'account',
  'erasure.asked': 'addressed',
  'erasure.withdrawn': 'addressed',
  'account.erased': 'addressed',
  'support.asked': 'addressed',
  'support.answered': 'support.answered',
  'support.mail_refused': 'account',
};

/** What a member has chosen: kinds that it does without, and those that it wants beyond what its role gets. */
export interface MailChoice<Kind extends string = string> {
  mailsOff: readonly Kind[];
  mailsOn: readonly Kind[];
}

export const mayHaveMail = (role: MemberRole, kind: SentKind): boolean => audiences[kind].may.includes(role);

/** Does a member get mails of a kind? What was chosen in a role before counts for nothing that the role of now may not have. */
export function getsMail(role: MemberRole, kind: SentKind, { mailsOff, mailsOn }: MailChoice): boolean {
  const { gets, may, always } = audiences[kind];
  if (always.includes(role)) return true;
  return may.includes(role) && !mailsOff.includes(kind) && (gets.includes(role) || mailsOn.includes(kind));
}

/** The kinds that a role chooses of. The owner gets all others, as law or security needs. */
export const chosenKinds = (role: MemberRole): readonly MailKind[] =>
  mailKinds.filter((kind) => mayHaveMail(role, kind) && !audiences[kind].always.includes(role));

/** The choice after a kind is switched on or off: what the role gets anyway need only be off, anything else only on. */
export function withChoice(
  role: MemberRole,
  { mailsOff, mailsOn }: MailChoice<MailKind>,
  kind: MailKind,
  isOn: boolean,
): { mailsOff: MailKind[]; mailsOn: MailKind[] } {
  const own = chosenKinds(role);
  const others = (kinds: readonly MailKind[]) => kinds.filter((each) => each !== kind && own.includes(each));
  const isGiven = audiences[kind].gets.includes(role);
  return {
    mailsOff: isGiven && !isOn ? [...others(mailsOff), kind] : others(mailsOff),
    mailsOn: !isGiven && isOn ? [...others(mailsOn), kind] : others(mailsOn),
  };
}

/** The kinds of a choice that are not the role's to choose. */
export const notToChoose = (role: MemberRole, { mailsOff, mailsOn }: MailChoice): string[] => {
  const chosen: readonly string[] = chosenKinds(role);
  return [...mailsOff, ...mailsOn].filter((kind) => !chosen.includes(kind));
};
