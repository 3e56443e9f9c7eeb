import { readAccount } from '#shared/contract/account.ts';
import { createSupportThread, readSupportThread } from '#shared/contract/support.ts';
import { startTestPortal } from '#server/test/portal.ts';
import { startMailbox } from '#ship/standins/mailbox/mailbox.ts';
import { replyToThread, takeMails } from './support.ts';

export const base = 'replies@provider.example';
export const team = 'ravi@provider.example';

/** A portal with a mailbox for replies. */
export async function startInbox() {
  const mailbox = await startMailbox({ user: 'replies', password: 'p@ss/word' });
  const env = {
    SUPPORT_INBOX: mailbox.url,
    SUPPORT_REPLY_ADDRESS: base,
    SUPPORT_SENDERS: `${team}, Second@provider.example`,
  };
  const portal = await startTestPortal({ jobs: false, env });
  const mailsTo = (recipient: string) =>
    portal.portal.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('created_at').execute();

  /** A thread with the addresses that both sides got by mail. */
  async function asked() {
    const token = await portal.newCustomer();
    const body = { subject: 'Slow calls', message: 'They take 30 seconds.', activationId: null };
    const thread = await portal.ask(createSupportThread, { body }, token);
    const params = { threadId: thread.id };
    await replyToThread(portal.portal, { ...params, message: 'Since when?' }, 'asha');
    const { user } = await portal.ask(readAccount, {}, token);
    const addressOf = async (recipient: string) =>
      (await mailsTo(recipient)).find(({ thread_id }) => thread_id === thread.id)?.reply_to ?? '';
    return {
      params,
      owner: token,
      email: user.email,
      customerAddress: await addressOf(user.email),
      teamAddress: await addressOf(portal.portal.settings.supportEmail),
      read: () => portal.ask(readSupportThread, { params }, token),
      mails: () => mailsTo(user.email),
    };
  }

  return {
    portal,
    mailbox,
    mailsTo,
    asked,
    take: () => takeMails(portal.portal),
    close: async () => {
      await portal.close();
      await mailbox.close();
    },
  };
}

let number = 0;
/** The source of a mail. */
export const mail = (to: string, from: string, text: string, headers: string[] = []) => {
  number += 1;
  return [
    `From: Somebody <${from}>`,
    `To: Support <${to}>`,
    `Message-ID: <${number}@mail.example>`,
    'Subject: Re: Slow calls',
    ...headers,
    '',
    text,
  ].join('\r\n');
};
