import type { Mails } from '#server/features/mail/event-mail.ts';
import * as accountantTexts from '#server/features/mail/accountant-texts.ts';

/** The mails about accountants. */
export const accountantMails = {
  'accountant.asked': async ({ accountantId: id, email, path }, { nameOfCustomer }) => ({
    letter: accountantTexts.accountantAsked(await nameOfCustomer(), path),
    toAccountant: { id, email },
  }),
  'accountant.stopped': ({ email }) => ({ letter: accountantTexts.accountantStopped(email) }),
  'month.packed': async (event, { nameOfCustomer }) => ({
    letter: accountantTexts.monthPacked(await nameOfCustomer(), event),
    toAccountant: { id: event.accountantId, email: event.email },
    ...(event.isAttached && { packMonth: event.month }),
  }),
} satisfies Partial<Mails>;
