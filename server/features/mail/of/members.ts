import type { Mails } from '#server/features/mail/event-mail.ts';
import * as memberTexts from '#server/features/mail/member-texts.ts';

/** The mails about members. */
export const memberMails = {
  'member.invited': async (event, { nameOfCustomer }) => ({
    letter: memberTexts.memberInvited(await nameOfCustomer(), event),
    to: event.email,
  }),
  'member.asked': (event) => ({ letter: memberTexts.memberAsked(event) }),
  'member.joined': (event) => ({ letter: memberTexts.memberJoined(event) }),
  'member.removed': async ({ email: to }, { nameOfCustomer: of }) => ({
    letter: memberTexts.memberRemoved(await of()),
    to,
  }),
  'member.left': (event) => ({ letter: memberTexts.memberLeft(event) }),
  'ownership.announced': async (event, { nameOfCustomer }) =>
    memberTexts.ownershipAnnounced(await nameOfCustomer(), event),
  'ownership.passed': async (event, { nameOfCustomer }) => memberTexts.ownershipPassed(await nameOfCustomer(), event),
  'passkeys.changed': async (event, { nameOfCustomer }) => ({
    letter: memberTexts.passkeysChanged(await nameOfCustomer(), event),
    to: event.to,
  }),
} satisfies Partial<Mails>;
