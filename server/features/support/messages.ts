import type { Tx } from '#shared/database/connect.ts';
import { maxMessagesPerDay, maxOwnMessages } from '#shared/domain/support-thread.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Actor, Owner, Portal } from '#server/portal.ts';
import { filesThatFit, type GivenFile, insertFiles, requireRoom, roomOf } from './files.ts';
import { countOwnMessages, insertMessage, lockThread, nextTime } from './store.ts';

interface CustomerMessage {
  hash?: Buffer;
  leftOut?: number;
  threadId: string;
  activationId: string | null;
  subject: string;
  message: string;
  at: Date;
  isFirst: boolean;
  files: readonly GivenFile[];
}

/** Writes a customer's message and mails it to the support team. */
export async function addMessage(portal: Portal, owner: Actor, tx: Tx, written: CustomerMessage): Promise<void> {
  const { threadId, message, at, hash = null, leftOut = 0 } = written;
  const id = newId('SPM');
  await insertMessage(owner, tx, {
    id,
    thread_id: threadId,
    author: 'CUSTOMER',
    channel: hash === null ? 'PORTAL' : 'MAIL',
    written_by: null,
    member_id: owner.memberId ?? null,
    mail_hash: hash,
    left_out: leftOut,
    message,
    created_at: at,
  });
  const { subject, activationId, isFirst, files } = written;
  await insertFiles(owner, tx, id, files);
  const event = { threadId, messageId: id, subject, message, activationId, isFirst, files: files.length, leftOut };
  await happened(portal, owner, tx, { type: 'support.asked', ...event });
}

/** Locks one of the owner's threads. */
export async function requireThread(owner: Owner, tx: Tx, threadId: string) {
  const thread = await lockThread(owner, tx, threadId);
  if (!thread) throw refuse('not_found');
  return thread;
}

/** Refuses more messages than a customer writes in a day, and locks the customer, so that two calls at once are no exception. */
export async function requireFewMessages(portal: Portal, owner: Owner, tx: Tx): Promise<void> {
  await lockCustomer(owner, tx);
  const since = new Date(portal.clock() - 24 * 3_600_000);
  if ((await countOwnMessages(owner, tx, { since })) >= maxMessagesPerDay) throw refuse('too_many_messages');
}

/** Writes a further message of the customer in a thread, which opens it. `hash` is of the mail that it came by, of whose files those that fit are taken. */
export async function addFurtherMessage(
  portal: Portal,
  owner: Actor,
  tx: Tx,
  written: { threadId: string; message: string; files: readonly GivenFile[]; hash?: Buffer; leftOut?: number },
): Promise<void> {
  const { threadId } = written;
  await requireFewMessages(portal, owner, tx);
  const thread = await requireThread(owner, tx, threadId);
  if ((await countOwnMessages(owner, tx, { threadId })) >= maxOwnMessages) throw refuse('thread_full');
  const { activation_id: activationId, subject } = thread;
  const at = nextTime(thread, portal.clock());
  if (written.hash === undefined) await requireRoom(owner, tx, written.files);
  const files = written.hash === undefined ? written.files : filesThatFit(written.files, await roomOf(owner, tx));
  const leftOut = (written.leftOut ?? 0) + written.files.length - files.length;
  await addMessage(portal, owner, tx, { ...written, files, leftOut, activationId, subject, at, isFirst: false });
}
