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
    documentationMore: t('Every call, its parameters and its answers, as an OpenAPI document.'),
    openDocumentation: t('Open API documentation'),
    write: t('Write a message'),
    writeMore: t('It goes to the people who run this API, with the id of this activation. Never send an API key.'),
    subject: t('Subject'),
    message: t('Message'),
    messageHint: t('What you did, what came back, and the request id if the answer carried one.'),
    counter: (typed: string, most: string) => t('{typed} of {most}', { typed, most }),
    send: t('Send message'),
    sending: t('Sending...'),
    sent: t('Message sent'),
    sentMore: t('The answer comes by email.'),
    notSent: t('The message was not sent'),
    kept: t('Nothing is lost: your text is still here.'),
    messages: t('Your messages'),
    messagesLoading: t('Loading messages'),
    messagesFailed: t('Failed to load messages'),
    sentAt: (instant: string) => `${instant} IST`,
    none: t('You have not written yet.'),
    outbox: t('Open the outbox of this test installation'),
  }),
  hindi,
);
