import type { supportCalls } from '#shared/contract/operator/support.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { closeThread, listThreads, readThread, replyToThread, requireOpen } from './provider.ts';

export const supportHandlers: Handlers<typeof supportCalls> = {
  listThreads: { read: async ({ db }, which) => ({ threads: await listThreads(db, which) }) },
  readThread: { read: ({ db }, { threadId }) => readThread(db, threadId) },
  replyToThread: {
    preview: async ({ db }, { threadId, message }) => ({
      thread: threadId,
      message,
      about: await readThread(db, threadId),
    }),
    perform: async (operator, { threadId, message }, { actor }) => {
      await replyToThread(operator, threadId, message, actor);
      return { thread: threadId, message, about: await readThread(operator.db, threadId) };
    },
  },
  closeThread: {
    preview: async ({ db }, { threadId }) => {
      const about = requireOpen(threadId, await readThread(db, threadId));
      return { thread: threadId, status: about.status, about };
    },
    perform: async (operator, { threadId }, cause) => {
      await closeThread(operator, threadId, cause);
      const about = await readThread(operator.db, threadId);
      return { thread: threadId, status: about.status, about };
    },
  },
};
