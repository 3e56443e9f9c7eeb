import type { SupportStatus } from '#shared/domain/support-thread.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/support/texts.hi.ts')).hindi;

/** Of the support page. */
export const supportTexts = texts(
  (t) => ({
    title: t('Support Portal'),
    lead: (service: string) => t('Help with {service}.', { service }),
    contact: (provider: string) => t('Reach {provider}', { provider }),
    email: t('Email'),
    phone: t('Phone'),
    hours: t('Hours'),
    activation: t('Activation'),
    generalLead: t('Ask anything, and read the replies.'),
    about: t('About'),
    general: t('Something else'),
    writeGeneral: t('Your message goes to the team that runs the APIs. Never send an API key.'),
    mailSubject: (service: string, id: string) => `${service}, ${id}`,
    documentation: t('API documentation'),
    documentationMore: t('Every endpoint with its parameters and responses, as an OpenAPI document.'),
    openDocumentation: t('Open API documentation'),
    write: t('Write a message'),
    formLoading: t('Loading the form'),
    writeMore: t(
      'Your message goes to the team that runs this API, with the id of this activation. Never send an API key.',
    ),
    subject: t('Subject'),
    message: t('Message'),
    messageHint: t('What you did, what you got back, and the request id if there was one.'),
    counter: (typed: string, most: string) => t('{typed} of {most}', { typed, most }),
    send: t('Send message'),
    sending: t('Sending...'),
    sent: t('Message sent'),
    sentMore: t('We’ll reply here and by email.'),
    notSent: t('The message was not sent'),
    kept: t('Nothing is lost: your text is still here.'),
    messages: t('Your messages'),
    messagesLoading: t('Loading messages'),
    messagesFailed: t('Failed to load messages'),
    statuses: {
      OPEN: t('Waiting for our reply'),
      ANSWERED: t('Answered'),
      CLOSED: t('Closed'),
    } satisfies Record<SupportStatus, string>,
    unread: (count: number) => t('{count, plural, one {# new reply} other {# new replies}}', { count }),
    threadLoading: t('Loading the thread'),
    threadFailed: t('Failed to load the thread'),
    threadNotFound: t('Thread not found'),
    threadNotFoundMore: t('The link may be incomplete, or the thread belongs to another account.'),
    allThreads: t('See your messages'),
    you: t('You'),
    team: (provider: string) => t('{provider} support', { provider }),
    leftOut: (count: number) =>
      t('{count, plural, one {# file of this mail was not taken.} other {# files of this mail were not taken.}}', {
        count,
      }),
    reply: t('Reply'),
    writeAgain: t('Your reply'),
    opensAgain: t('This thread is closed. A new message opens it again.'),
    close: t('Mark as solved'),
    closed: t('Thread closed'),
    closedMore: t('Write in it whenever you need more help.'),
    closeFailed: t('The thread could not be closed'),
    newestMessages: (count: number) =>
      t('The newest {count} messages are shown. The download of your data has older ones.', { count }),
    newestThreads: (count: number) =>
      t('The {count} threads that changed last are shown. The download of your data has older ones.', { count }),
    sentAt: (instant: string) => `${instant} IST`,
    none: t('No messages yet.'),
    outbox: t('Open the outbox of this test installation'),
  }),
  hindi,
);
