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

export const mailCalls = { listMails, readMail };
