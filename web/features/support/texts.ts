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
    mailSubject: (service: string, id: string) => `${service}, ${id}`,
    documentation: t('API documentation'),
    documentationMore: t('Every endpoint with its parameters and responses, as an OpenAPI document.'),
    openDocumentation: t('Open API documentation'),
    write: t('Write a message'),
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
    sentMore: t('We’ll reply by email.'),
    notSent: t('The message was not sent'),
    kept: t('Nothing is lost: your text is still here.'),
    messages: t('Your messages'),
    messagesLoading: t('Loading messages'),
    messagesFailed: t('Failed to load messages'),
    sentAt: (instant: string) => `${instant} IST`,
    none: t('No messages yet.'),
    outbox: t('Open the outbox of this test installation'),
  }),
  hindi,
);
