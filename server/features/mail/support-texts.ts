import type { PortalEvent } from '#shared/domain/event.ts';
import { replyMarker } from '#shared/domain/mail-reply.ts';
import { filesNotTaken } from '#shared/domain/support-file.ts';
import type { Letter } from './letter.ts';

/** Where a reply to the mail goes; undefined: not into the thread. */
interface Thread {
  replyTo: string | undefined;
}

const paragraphsOf = (message: string): string[] => message.split(/\n{2,}/);
const markerOf = ({ replyTo }: Thread) => (replyTo === undefined ? {} : { marker: replyMarker });

/** Files stay in the portal: a mail is no place for what strangers sent, and may be refused for its size. */
const filesOf = (files: number, where: string): string[] =>
  files === 0 ? [] : [`${files === 1 ? '1 file is' : `${files} files are`} attached: ${where}.`];

/** A customer's message to the provider's support. */
export function supportAsked(
  asked: PortalEvent<'support.asked'>,
  from: { customerId: string; name: string; email: string },
  thread: Thread,
): Letter {
  const { threadId } = asked;
  const command = `octroi support reply ${threadId}`;
  return {
    ...markerOf(thread),
    subject: `${asked.isFirst ? '' : 'Re: '}${threadId}: ${asked.subject}`,
    paragraphs: [
      ...paragraphsOf(asked.message),
      ...filesOf(asked.files, `see the thread in the console, or octroi support show ${threadId}`),
      ...(asked.leftOut === 0 ? [] : [filesNotTaken(asked.leftOut)]),
      thread.replyTo === undefined
        ? `To reply in the thread: ${command}`
        : `Reply to this mail, or with: ${command}. The customer reads it in the portal and by mail, without your name.`,
    ],
    facts: [
      ['From', `${from.name} <${from.email}>`],
      ['Customer', from.customerId],
      ...(asked.activationId === null ? [] : [['Activation', asked.activationId] satisfies [string, string]]),
    ],
  };
}

/** The reply of support, to the customer. */
export function supportAnswered(answered: PortalEvent<'support.answered'>, thread: Thread): Letter {
  const { threadId, subject, message, files } = answered;
  return {
    ...markerOf(thread),
    subject: `Re: ${threadId}: ${subject}`,
    paragraphs: [
      ...paragraphsOf(message),
      ...filesOf(files, 'open the thread to save them'),
      thread.replyTo === undefined
        ? 'To write back, open the thread.'
        : 'To write back, reply to this mail from this address, or open the thread.',
    ],
    link: { label: 'Open the thread', path: `/support/${threadId}` },
  };
}

/** To the side of a thread whose mail was not taken. */
export function supportMailRefused({ threadId, side, from, reason }: PortalEvent<'support.mail_refused'>): Letter {
  return {
    subject: `Your mail to ${threadId} was not taken`,
    paragraphs: [
      `A mail from ${from} did not get into ${threadId}: ${reason}.`,
      side === 'CUSTOMER'
        ? 'Write in the portal, or reply from the address that this mail came to.'
        : `Reply from an address in SUPPORT_SENDERS, or with: octroi support reply ${threadId}`,
    ],
    ...(side === 'CUSTOMER' && { link: { label: 'Open the thread', path: `/support/${threadId}` } }),
  };
}
