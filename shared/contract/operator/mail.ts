import { z } from 'zod';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

const mailSchema = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  createdAt: instantSchema,
  /** Null while it waits to be sent. */
  sentAt: instantSchema.nullable(),
  /** Why the newest attempt to send it failed; null when it was sent, or waits for its documents. */
  fault: z.string().nullable(),
});

export const listMails = defineOperatorCall({
  name: 'listMails',
  summary: 'The mails to a customer, newest first',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string(), ...pageInput }),
  reply: z.object({ mails: z.array(mailSchema), next: nextSchema }),
});

export const readMail = defineOperatorCall({
  name: 'readMail',
  summary: 'A mail to a customer with its text, without links: some work without a sign-in',
  auth: 'operator',
  input: z.strictObject({ mailId: z.string() }),
  reply: mailSchema.extend({ customerId: z.string(), text: z.string() }),
});

export const resendMail = defineOperatorCall({
  name: 'resendMail',
  summary: 'Send a mail to a customer again, to the same address; one that could not be sent is tried again at once',
  auth: 'operator',
  action: 'mails.resend',
  concerns: 'customer',
  input: z.strictObject({ mailId: z.string() }),
  reply: z.object({
    mailId: z.string(),
    customerId: z.string(),
    recipient: z.string(),
    subject: z.string(),
    /** Without links: some work without a sign-in. */
    text: z.string(),
    /** Why it could not be sent. */
    fault: z.string().nullable(),
    /** The id of the new mail; null in a preview, and when the mail itself is tried again. */
    copyId: z.string().nullable(),
  }),
});

export const mailCalls = { listMails, readMail, resendMail };
