import type { supportCalls } from '#shared/contract/operator/support.ts';
import { instantSchema } from '#shared/contract/values.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { pageOf } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { closeThread, listThreads, readThread, replyToThread, requireOpen } from './provider.ts';

export const supportHandlers: Handlers<typeof supportCalls> = {
  listThreads: {
    read: async ({ db }, { after, limit, ...which }) => {
      const read = await listThreads(db, { ...which, after: placeOf(after), limit: limit + 1 });
      const { rows: threads, next } = pageOf(read, limit, ({ changedAt, id }) => `${changedAt} ${id}`);
      return { threads, next };
    },
  },
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

/** Where a page of threads begins, from `next` of the one before. */
function placeOf(after: string | undefined): { changedAt: Date; id: string } | undefined {
  if (after === undefined) return undefined;
  const [at = '', id = ''] = after.split(' ', 2);
  if (!instantSchema.safeParse(at).success)
    throw new OperatorRefusal(`${after} is no place in the list.`, 'invalid_request');
  return { changedAt: new Date(at), id };
}
