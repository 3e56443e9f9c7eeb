import type { SupportConversation, SupportThread } from '#shared/contract/support.ts';
import { done } from '#shared/contract/values.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { newId } from '#server/crypto/ids.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { addFurtherMessage, addMessage, requireFewMessages, requireThread } from './messages.ts';
import {
  countUnread,
  insertThread,
  selectLastTime,
  selectMessages,
  selectThreads,
  selectToken,
  type ThreadWithUnread,
  updateClosed,
  updateRead,
} from './store.ts';

export { takeMails } from './inbound.ts';
export { listThreads, readThread, replyToThread } from './provider.ts';

/** Starts a thread: stores its first message and mails it to the support team, both or neither. */
export async function writeToSupport(
  portal: Portal,
  caller: Caller,
  written: { subject: string; message: string; activationId: string | null },
): Promise<SupportConversation> {
  const threadId = newId('SUP');
  await transaction(portal.db, async (tx) => {
    const { activationId, subject, message } = written;
    if (activationId !== null) await requireActivation(caller, tx, activationId);
    await requireFewMessages(portal, caller, tx);
    const at = new Date(portal.clock());
    await insertThread(caller, tx, { id: threadId, activationId, subject, at });
    await addMessage(portal, caller, tx, { threadId, activationId, subject, message, at, isFirst: true });
  });
  return readSupportThread(portal.db, caller, threadId);
}

/** Writes again in a thread, which opens it. */
export async function writeAgain(
  portal: Portal,
  caller: Caller,
  threadId: string,
  message: string,
): Promise<SupportConversation> {
  await transaction(portal.db, (tx) => addFurtherMessage(portal, caller, tx, { threadId, message }));
  return readSupportThread(portal.db, caller, threadId);
}

/** The secret in the address to which one side of a thread replies by mail. */
export const readReplyToken = selectToken;

/** The caller's threads that changed last, the last one first. */
export async function listSupportThreads(db: Db | Tx, caller: Caller): Promise<SupportThread[]> {
  return (await selectThreads(caller, db)).map(threadOf);
}

/** How many replies the caller has not read. */
export function countUnreadReplies(db: Db, caller: Caller): Promise<number> {
  return countUnread(caller, db);
}

/** A thread with its newest messages, oldest first. */
export async function readSupportThread(db: Db, caller: Caller, threadId: string): Promise<SupportConversation> {
  const [thread] = await selectThreads(caller, db, threadId);
  if (!thread) throw refuse('not_found');
  const messages = await selectMessages(caller, db, threadId);
  return {
    ...threadOf(thread),
    messages: messages.map(({ id, author, message, left_out: leftOut, created_at }) => ({
      id,
      author,
      message,
      leftOut,
      createdAt: created_at.toISOString(),
    })),
  };
}

function threadOf(row: ThreadWithUnread): SupportThread {
  return {
    id: row.id,
    subject: row.subject,
    activationId: row.activation_id,
    status: row.status,
    unread: row.unread,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  };
}

/** Marks what was shown as read; a reply that came meanwhile stays unread. */
export async function markRead({ db }: Portal, caller: Caller, threadId: string, seenUntil: string) {
  const [thread] = await selectThreads(caller, db, threadId);
  if (!thread) throw refuse('not_found');
  const last = await selectLastTime(caller, db, threadId, new Date(seenUntil));
  if (last) await updateRead(caller, db, threadId, last);
  return done;
}

/** Closes a thread that needs no more reply. */
export async function closeOwnThread(portal: Portal, caller: Caller, threadId: string): Promise<SupportConversation> {
  await transaction(portal.db, async (tx) => {
    await updateClosed(tx, await requireThread(caller, tx, threadId), portal.clock());
  });
  return readSupportThread(portal.db, caller, threadId);
}
