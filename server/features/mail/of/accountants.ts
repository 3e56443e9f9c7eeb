import type { Mails } from '../event-mail.ts';
import * as accountantTexts from '../accountant-texts.ts';

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
