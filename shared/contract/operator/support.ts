import { z } from 'zod';
import { maxAnswerTitle } from '#shared/domain/canned-answer.ts';
import {
  maxMessage,
  maxMessagesShown,
  supportAuthors,
  supportChannels,
  supportStatuses,
} from '#shared/domain/support-thread.ts';
import { fileContentSchema, filesSchema, maxFileChars, supportFileSchema } from '#shared/contract/support.ts';
import { instantSchema, oneLine } from '#shared/contract/values.ts';
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
    /** Only those of this operator, by address; null: only those without one. */
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
        files: z.array(supportFileSchema),
        /** How many files of its mail were not taken. */
        leftOut: z.int(),
        createdAt: instantSchema,
      }),
    ),
  }),
});

export const readThreadFile = defineOperatorCall({
  name: 'readThreadFile',
  summary: 'A file of a thread, in base64',
  auth: 'operator',
  input: z.strictObject({ threadId: z.string(), fileId: z.string() }),
  reply: fileContentSchema,
});

/** The last message that the operator has read: when there is a newer one, nothing is done. */
const lastMessageId = z.string().max(80).optional();

export const replyToThread = defineOperatorCall({
  name: 'replyToThread',
  summary: 'Answer a thread: the customer gets the reply in the portal and by mail, and it is the reason',
  auth: 'operator',
  action: 'support.reply',
  concerns: 'customer',
  maxBytes: maxFileChars + 64 * 1024,
  input: z.strictObject({
    threadId: z.string(),
    message: z.string().min(1).max(maxMessage),
    lastMessageId,
    files: filesSchema,
  }),
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

const textSchema = z.string().trim().min(1).max(maxMessage);

const noteSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  /** Null: about the customer in general. */
  threadId: z.string().nullable(),
  note: z.string(),
  writtenBy: z.string(),
  createdAt: instantSchema,
});

export const listNotes = defineOperatorCall({
  name: 'listNotes',
  summary: `What operators noted about a customer, in threads and in general, the newest ${maxMessagesShown}`,
  auth: 'operator',
  input: z.strictObject({ customerId: z.string() }),
  reply: z.object({ notes: z.array(noteSchema) }),
});

export const addNote = defineOperatorCall({
  name: 'addNote',
  summary: 'Note something about a thread or a customer for other operators; the customer does not see it',
  auth: 'operator',
  action: 'notes.add',
  concerns: 'provider',
  input: z.strictObject({ of: z.string(), note: textSchema }),
  reply: z.object({
    /** Null in the preview. */
    noteId: z.string().nullable(),
    customerId: z.string(),
    threadId: z.string().nullable(),
    note: z.string(),
  }),
});

export const removeNote = defineOperatorCall({
  name: 'removeNote',
  summary: 'Remove a note for good',
  auth: 'operator',
  action: 'notes.remove',
  concerns: 'provider',
  input: z.strictObject({ noteId: z.string() }),
  reply: noteSchema,
});

const answerInput = {
  title: z.string().overwrite(oneLine).min(1).max(maxAnswerTitle),
  /** It may say `{{name}}`, `{{business}}`, `{{plan}}`, `{{ends}}` and `{{thread}}`. */
  answer: textSchema,
};

export const listCannedAnswers = defineOperatorCall({
  name: 'listCannedAnswers',
  summary: 'The answers that operators insert into replies, by title',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    answers: z.array(z.object({ id: z.string(), title: z.string(), answer: z.string(), changedAt: instantSchema })),
  }),
});

export const createCannedAnswer = defineOperatorCall({
  name: 'createCannedAnswer',
  summary: 'Make an answer that operators insert into replies, where they read it before they send it',
  auth: 'operator',
  action: 'answers.add',
  concerns: 'provider',
  input: z.strictObject(answerInput),
  reply: z.object({
    /** Null in the preview. */
    answerId: z.string().nullable(),
    title: z.string(),
    answer: z.string(),
  }),
});

export const changeCannedAnswer = defineOperatorCall({
  name: 'changeCannedAnswer',
  summary: 'Change the title and the text of a canned answer',
  auth: 'operator',
  action: 'answers.change',
  concerns: 'provider',
  input: z.strictObject({ answerId: z.string(), ...answerInput }),
  reply: z.object({ answerId: z.string(), titleBefore: z.string(), title: z.string(), answer: z.string() }),
});

export const removeCannedAnswer = defineOperatorCall({
  name: 'removeCannedAnswer',
  summary: 'Remove a canned answer; replies that were made of it stay',
  auth: 'operator',
  action: 'answers.remove',
  concerns: 'provider',
  input: z.strictObject({ answerId: z.string() }),
  reply: z.object({ answerId: z.string(), title: z.string() }),
});

export const supportCalls = {
  listThreads,
  readThread,
  readThreadFile,
  replyToThread,
  closeThread,
  assignThread,
  listNotes,
  addNote,
  removeNote,
  listCannedAnswers,
  createCannedAnswer,
  changeCannedAnswer,
  removeCannedAnswer,
};
