import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { doneSchema, instantSchema, oneLine } from '#shared/contract/values.ts';
import { maxBytesOfMessage, maxFilesOfMessage, supportFileTypes } from '#shared/domain/support-file.ts';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import {
  maxMessage,
  maxMessagesShown,
  maxSubject,
  maxThreadsShown,
  supportAuthors,
  supportStatuses,
} from '#shared/domain/support-thread.ts';

/** The most characters of the files of a message in base64. */
export const maxFileChars = Math.ceil(maxBytesOfMessage / 3) * 4;

/** Files of a message: PDF, JPEG, PNG or text (TXT, CSV) by their content, in base64. */
export const filesSchema = z
  .array(z.strictObject({ name: z.string().min(1).max(300), content: z.base64().min(1).max(maxFileChars) }))
  .max(maxFilesOfMessage)
  .optional();
export type FilesInput = z.output<typeof filesSchema>;

export const supportFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(supportFileTypes),
  bytes: z.int(),
});
export type SupportFile = z.output<typeof supportFileSchema>;

/** A file itself. Pages save it and never show it, so that nothing in it runs here. */
export const fileContentSchema = z.object({ name: z.string(), type: z.enum(supportFileTypes), content: z.base64() });

const supportMessageSchema = z.object({
  id: z.string(),
  author: z.enum(supportAuthors),
  message: z.string(),
  /** How many files of the mail that it came by were not taken. */
  leftOut: z.int(),
  files: z.array(supportFileSchema),
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
    files: filesSchema,
  }),
  reply: conversationSchema,
  refusals: ['not_found', 'file_refused', 'too_many_files', 'too_many_messages', 'too_many_requests'],
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
  body: z.strictObject({ message: messageText, files: filesSchema }),
  reply: conversationSchema,
  refusals: ['not_found', 'thread_full', 'file_refused', 'too_many_files', 'too_many_messages', 'too_many_requests'],
});

export const readSupportFile = defineCall({
  name: 'readSupportFile',
  summary: 'Get a file of a thread (base64)',
  method: 'GET',
  path: '/support/threads/:threadId/files/:fileId',
  auth: 'session',
  params: params.extend({ fileId: ids.file }),
  reply: fileContentSchema,
  refusals: ['not_found'],
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
