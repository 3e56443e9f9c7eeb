/** `OPEN` waits for the provider, `ANSWERED` for the customer. */
export const supportStatuses = ['OPEN', 'ANSWERED', 'CLOSED'] as const;
export type SupportStatus = (typeof supportStatuses)[number];

export const supportAuthors = ['CUSTOMER', 'PROVIDER'] as const;
export type SupportAuthor = (typeof supportAuthors)[number];

/** Where a message was written. */
export const supportChannels = ['PORTAL', 'COMMAND', 'MAIL'] as const;

/** The longest subject and message, in characters. */
export const maxSubject = 120;
export const maxMessage = 5000;

/** The messages of its customer that a thread takes. */
export const maxOwnMessages = 100;
/** The messages that a customer writes in 24 hours, in all threads. */
export const maxMessagesPerDay = 100;
/** The newest messages of a thread, of both sides, that are read and shown. */
export const maxMessagesShown = 200;
/** The threads that are listed: those changed last. */
export const maxThreadsShown = 100;
