/** `OPEN` waits for the provider, `ANSWERED` for the customer. */
export const supportStatuses = ['OPEN', 'ANSWERED', 'CLOSED'] as const;
export type SupportStatus = (typeof supportStatuses)[number];

export const supportAuthors = ['CUSTOMER', 'PROVIDER'] as const;
export type SupportAuthor = (typeof supportAuthors)[number];

/** Where a message was written. */
export type SupportChannel = 'PORTAL' | 'COMMAND' | 'MAIL';

/** The longest subject and message, in characters. */
export const maxSubject = 120;
export const maxMessage = 5000;
