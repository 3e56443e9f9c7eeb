import type { Mails } from '#server/features/mail/event-mail.ts';
import * as supportTexts from '#server/features/mail/support-texts.ts';

/** The mails about threads with support. */
export const supportMails = {
  'support.asked': async (event, { readSender, threadOf }) => {
    const thread = await threadOf(event.threadId, 'PROVIDER');
    return { letter: supportTexts.supportAsked(event, await readSender(), thread), toSupport: true, thread };
  },
  'support.answered': async (event, { threadOf }) => {
    const thread = await threadOf(event.threadId, 'CUSTOMER');
    return { letter: supportTexts.supportAnswered(event, thread), thread };
  },
  'support.mail_refused': (event) => ({
    letter: supportTexts.supportMailRefused(event),
    toSupport: event.side === 'PROVIDER',
  }),
} satisfies Partial<Mails>;
