import type { PortalEvent } from '#domain/event.ts';
import type { Letter } from './letter.ts';

/** A customer's message to the provider's support. */
export function supportAsked(
  asked: PortalEvent<'support.asked'>,
  from: { customerId: string; name: string; email: string },
): Letter {
  const { threadId } = asked;
  return {
    subject: `${asked.isFirst ? '' : 'Re: '}${threadId}: ${asked.subject}`,
    paragraphs: [...paragraphsOf(asked.message), `To reply in the thread: octroi support reply ${threadId}`],
    facts: [
      ['From', `${from.name} <${from.email}>`],
      ['Customer', from.customerId],
      ...(asked.activationId === null ? [] : [['Activation', asked.activationId] satisfies [string, string]]),
    ],
  };
}

/** The reply of support, to the customer. */
export function supportAnswered(answered: PortalEvent<'support.answered'>): Letter {
  const { threadId, subject, message } = answered;
  return {
    subject: `Re: ${threadId}: ${subject}`,
    paragraphs: [...paragraphsOf(message), 'To write back, open the thread.'],
    link: { label: 'Open the thread', path: `/support/${threadId}` },
  };
}

const paragraphsOf = (message: string): string[] => message.split(/\n{2,}/);
