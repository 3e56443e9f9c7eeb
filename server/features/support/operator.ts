import type { supportCalls } from '#shared/contract/operator/support.ts';
import { instantSchema } from '#shared/contract/values.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { pageOf } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { assignThread, previewAssignment } from './assign.ts';
import {
  changeCannedAnswer,
  createCannedAnswer,
  listCannedAnswers,
  previewChange,
  previewNew,
  removeCannedAnswer,
  requireAnswer,
} from './canned-answers.ts';
import { addNote, listNotes, previewNote, removeNote, requireNote } from './notes.ts';
import {
  closeThread,
  listThreads,
  readThread,
  readThreadFile,
  replyToThread,
  requireNewest,
  requireOpen,
  requireSendable,
} from './provider.ts';

export const supportHandlers: Handlers<typeof supportCalls> = {
  listThreads: {
    read: async ({ db }, { after, limit, ...which }) => {
      const read = await listThreads(db, { ...which, after: placeOf(after), limit: limit + 1 });
      const { rows: threads, next } = pageOf(read, limit, ({ changedAt, id }) => `${changedAt} ${id}`);
      return { threads, next };
    },
  },
  readThread: { read: ({ db }, { threadId }) => readThread(db, threadId) },
  readThreadFile: { read: ({ db }, which) => readThreadFile(db, which) },
  replyToThread: {
    preview: async ({ db }, { threadId, message, lastMessageId, files }) => {
      const about = await readThread(db, threadId);
      requireSendable({ message, files });
      await requireNewest(db, threadId, lastMessageId);
      return { thread: threadId, message, about };
    },
    perform: async (operator, written, { actor }) => {
      const { threadId, message } = written;
      await replyToThread(operator, written, actor);
      return { thread: threadId, message, about: await readThread(operator.db, threadId) };
    },
  },
  closeThread: {
    preview: async ({ db }, { threadId, lastMessageId }) => {
      const about = requireOpen(threadId, await readThread(db, threadId));
      await requireNewest(db, threadId, lastMessageId);
      return { thread: threadId, status: about.status, about };
    },
    perform: async (operator, closed, cause) => {
      const { threadId } = closed;
      await closeThread(operator, closed, cause);
      const about = await readThread(operator.db, threadId);
      return { thread: threadId, status: about.status, about };
    },
  },
  assignThread: {
    needs: 'database',
    preview: ({ db }, wanted) => previewAssignment(db, wanted),
    perform: assignThread,
  },
  listNotes: { read: async ({ db }, { customerId }) => ({ notes: await listNotes(db, customerId) }) },
  addNote: { needs: 'database', preview: ({ db }, wanted) => previewNote(db, wanted), perform: addNote },
  removeNote: {
    needs: 'database',
    preview: ({ db }, { noteId }) => requireNote(db, noteId),
    perform: (source, { noteId }, cause) => removeNote(source, noteId, cause),
  },
  listCannedAnswers: { read: async ({ db }) => ({ answers: await listCannedAnswers(db) }) },
  createCannedAnswer: {
    needs: 'database',
    preview: ({ db }, written) => previewNew(db, written),
    perform: createCannedAnswer,
  },
  changeCannedAnswer: {
    needs: 'database',
    preview: ({ db }, wanted) => previewChange(db, wanted),
    perform: changeCannedAnswer,
  },
  removeCannedAnswer: {
    needs: 'database',
    preview: async ({ db }, { answerId }) => ({ answerId, title: (await requireAnswer(db, answerId)).title }),
    perform: (source, { answerId }, cause) => removeCannedAnswer(source, answerId, cause),
  },
};

/** Where a page of threads begins, from `next` of the one before. */
function placeOf(after: string | undefined): { changedAt: Date; id: string } | undefined {
  if (after === undefined) return undefined;
  const [at = '', id = ''] = after.split(' ', 2);
  if (!instantSchema.safeParse(at).success)
    throw new OperatorRefusal(`${after} is no place in the list.`, 'invalid_request');
  return { changedAt: new Date(at), id };
}
