import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { doneSchema, instantSchema, oneLine } from '#shared/contract/values.ts';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import {
  maxMessage,
  maxMessagesShown,
  maxSubject,
  maxThreadsShown,
  supportAuthors,
  supportStatuses,
} from '#shared/domain/support-thread.ts';

const supportMessageSchema = z.object({
  id: z.string(),
  author: z.enum(supportAuthors),
  message: z.string(),
  /** Files of the mail that it came by; they were not taken. */
  leftOut: z.int(),
  createdAt: instantSchema,
});
export type SupportMessage = z.output<typeof supportMessageSchema>;

const supportThreadSchema = z.object({
  id: z.string(),
  subject: z.string(),
  /** The activation it is about, if any. */
  activationId: z.string().nullable(),
  /** `OPEN` waits for the provider, `ANSWERED` for the customer. */
  status: z.enum(supportStatuses),
  /** Replies that the customer has not read. */
  unread: z.int(),
  createdAt: instantSchema,
  /** When the last message was written, or when it was closed. */
  changedAt: instantSchema,
});
export type SupportThread = z.output<typeof supportThreadSchema>;

const conversationSchema = supportThreadSchema.extend({
  /** The newest ones, oldest first. */
  messages: z.array(supportMessageSchema),
});
export type SupportConversation = z.output<typeof conversationSchema>;

const messageText = z.string().overwrite(withoutHidden).trim().min(1, 'Write your message').max(maxMessage);
const params = z.object({ threadId: ids.thread });

export const createSupportThread = defineCall({
  name: 'createSupportThread',
  summary: 'Write to the provider’s support; the message is stored and mailed',
  method: 'POST',
  path: '/support/threads',
  auth: 'session',
  body: z.strictObject({
    subject: z.string().overwrite(oneLine).min(1, 'Enter a short subject').max(maxSubject),
    message: messageText,
    /** The activation it is about, if any. */
    activationId: ids.activation.nullable(),
  }),
  reply: conversationSchema,
  refusals: ['not_found', 'too_many_messages', 'too_many_requests'],
});

export const listSupportThreads = defineCall({
  name: 'listSupportThreads',
  summary: `List the customer’s threads with support that changed last, ${maxThreadsShown} at most, the last one first`,
  method: 'GET',
  path: '/support/threads',
  auth: 'session',
  reply: z.array(supportThreadSchema),
  refusals: [],
});

export const readSupportThread = defineCall({
  name: 'readSupportThread',
  summary: `Get a thread with its newest messages, ${maxMessagesShown} at most, oldest first`,
  method: 'GET',
  path: '/support/threads/:threadId',
  auth: 'session',
  params,
  reply: conversationSchema,
  refusals: ['not_found'],
});

export const replyToSupport = defineCall({
  name: 'replyToSupport',
  summary: 'Write again in a thread; a closed one is open again',
  method: 'POST',
  path: '/support/threads/:threadId/messages',
  auth: 'session',
  params,
  body: z.strictObject({ message: messageText }),
  reply: conversationSchema,
  refusals: ['not_found', 'thread_full', 'too_many_messages', 'too_many_requests'],
});

export const markSupportRead = defineCall({
  name: 'markSupportRead',
  summary: 'Mark the replies of a thread as read, up to the last one that was shown',
  method: 'POST',
  path: '/support/threads/:threadId/read',
  auth: 'session',
  params,
  body: z.strictObject({ seenUntil: instantSchema }),
  reply: doneSchema,
  refusals: ['not_found'],
});

export const closeSupportThread = defineCall({
  name: 'closeSupportThread',
  summary: 'Close a thread that needs no more reply; writing in it opens it again',
  method: 'POST',
  path: '/support/threads/:threadId/close',
  auth: 'session',
  params,
  reply: conversationSchema,
  refusals: ['not_found'],
});
