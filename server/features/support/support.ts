import type { FilesInput, SupportConversation, SupportThread } from '#shared/contract/support.ts';
import { done } from '#shared/contract/values.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { newId } from '#server/crypto/ids.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Actor, Owner, Portal } from '#server/portal.ts';
import { givenFiles, listFiles, readFile, requireFiles, requireRoom } from './files.ts';
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
  owner: Actor,
  written: { subject: string; message: string; activationId: string | null; files?: FilesInput },
): Promise<SupportConversation> {
  const threadId = newId('SUP');
  const files = givenFiles(written.files);
  requireFiles(files);
  await transaction(portal.db, async (tx) => {
    const { activationId, subject, message } = written;
    if (activationId !== null) await requireActivation(owner, tx, activationId);
    await requireFewMessages(portal, owner, tx);
    await requireRoom(owner, tx, files);
    const at = new Date(portal.clock());
    await insertThread(owner, tx, { id: threadId, activationId, subject, at });
    await addMessage(portal, owner, tx, { threadId, activationId, subject, message, files, at, isFirst: true });
  });
  return readSupportThread(portal.db, owner, threadId);
}

/** Writes again in a thread, which opens it. */
export async function writeAgain(
  portal: Portal,
  owner: Actor,
  threadId: string,
  written: { message: string; files?: FilesInput },
): Promise<SupportConversation> {
  const { message } = written;
  const files = givenFiles(written.files);
  requireFiles(files);
  await transaction(portal.db, (tx) => addFurtherMessage(portal, owner, tx, { threadId, message, files }));
  return readSupportThread(portal.db, owner, threadId);
}

/** The secret in the address to which one side of a thread replies by mail. */
export const readReplyToken = selectToken;

/** The owner's threads that changed last, the last one first. */
export async function listSupportThreads(db: Db | Tx, owner: Owner): Promise<SupportThread[]> {
  return (await selectThreads(owner, db)).map(threadOf);
}

/** How many replies the owner has not read. */
export function countUnreadReplies(db: Db, owner: Owner): Promise<number> {
  return countUnread(owner, db);
}

/** A thread with its newest messages, oldest first. */
export async function readSupportThread(db: Db, owner: Owner, threadId: string): Promise<SupportConversation> {
  const [thread] = await selectThreads(owner, db, threadId);
  if (!thread) throw refuse('not_found');
  const messages = await selectMessages(owner, db, threadId);
  const files = await listFiles(owner, db, threadId);
  return {
    ...threadOf(thread),
    messages: messages.map(({ id, author, message, left_out: leftOut, created_at }) => ({
      id,
      author,
      message,
      leftOut,
      files: files.get(id) ?? [],
      createdAt: created_at.toISOString(),
    })),
  };
}

/** A file of one of the owner's threads. */
export async function readSupportFile(db: Db, owner: Owner, which: { threadId: string; fileId: string }) {
  const file = await readFile(owner, db, which);
  if (!file) throw refuse('not_found');
  return file;
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
export async function markRead({ db }: Portal, owner: Owner, threadId: string, seenUntil: string) {
  const [thread] = await selectThreads(owner, db, threadId);
  if (!thread) throw refuse('not_found');
  const last = await selectLastTime(owner, db, threadId, new Date(seenUntil));
  if (last) await updateRead(owner, db, threadId, last);
  return done;
}

/** Closes a thread that needs no more reply. */
export async function closeOwnThread(portal: Portal, owner: Owner, threadId: string): Promise<SupportConversation> {
  await transaction(portal.db, async (tx) => {
    await updateClosed(tx, await requireThread(owner, tx, threadId), portal.clock());
  });
  return readSupportThread(portal.db, owner, threadId);
}
