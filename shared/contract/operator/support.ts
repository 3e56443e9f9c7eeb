import { z } from 'zod';
import { maxMessage, supportAuthors, supportChannels, supportStatuses } from '#shared/domain/support-thread.ts';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { operatorEmailSchema } from './operators.ts';
import { nextSchema, pageInput } from './page.ts';

/** A thread as operators see it. */
const threadSchema = z.object({
  id: z.string(),
  subject: z.string(),
  status: z.enum(supportStatuses),
  activationId: z.string().nullable(),
  customerId: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  /** The operator who looks after it, by address. */
  assignedTo: z.string().nullable(),
  createdAt: instantSchema,
  changedAt: instantSchema,
});
export type ProviderThread = z.output<typeof threadSchema>;

export const listThreads = defineOperatorCall({
  name: 'listThreads',
  summary: 'The threads of all customers, those that wait longest first',
  auth: 'operator',
  input: z.strictObject({
    /** All when not given. */
    status: z.enum(supportStatuses).optional(),
    customerId: z.string().optional(),
    /** Of this operator, by address; null: of nobody. */
    assignedTo: operatorEmailSchema.nullable().optional(),
    ...pageInput,
  }),
  reply: z.object({ threads: z.array(threadSchema), next: nextSchema }),
});

export const readThread = defineOperatorCall({
  name: 'readThread',
  summary: 'A thread with its newest messages, oldest first',
  auth: 'operator',
  input: z.strictObject({ threadId: z.string() }),
  reply: threadSchema.extend({
    messages: z.array(
      z.object({
        id: z.string(),
        author: z.enum(supportAuthors),
        channel: z.enum(supportChannels),
        /** The operator; null for the customer. */
        writtenBy: z.string().nullable(),
        message: z.string(),
        createdAt: instantSchema,
      }),
    ),
  }),
});

/** The last message that the operator has read: when there is a newer one, nothing is done. */
const lastMessageId = z.string().max(80).optional();

export const replyToThread = defineOperatorCall({
  name: 'replyToThread',
  summary: 'Answer a thread: the customer gets the reply in the portal and by mail, and it is the reason',
  auth: 'operator',
  action: 'support.reply',
  concerns: 'customer',
  input: z.strictObject({ threadId: z.string(), message: z.string().min(1).max(maxMessage), lastMessageId }),
  reply: z.object({ thread: z.string(), message: z.string(), about: threadSchema }),
});

export const closeThread = defineOperatorCall({
  name: 'closeThread',
  summary: 'Close a thread that needs no reply; the customer can open it again by writing',
  auth: 'operator',
  action: 'support.close',
  concerns: 'customer',
  input: z.strictObject({ threadId: z.string(), lastMessageId }),
  reply: z.object({ thread: z.string(), status: z.enum(supportStatuses), about: threadSchema }),
});

export const assignThread = defineOperatorCall({
  name: 'assignThread',
  summary: 'Say which operator looks after a thread, or that nobody does; the customer does not see it',
  auth: 'operator',
  action: 'support.assign',
  concerns: 'provider',
  input: z.strictObject({ threadId: z.string(), email: operatorEmailSchema.nullable() }),
  reply: z.object({ thread: z.string(), before: z.string().nullable(), assignedTo: z.string().nullable() }),
});

export const supportCalls = { listThreads, readThread, replyToThread, closeThread, assignThread };
