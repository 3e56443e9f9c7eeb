import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { refusals } from '#shared/contract/refusals.ts';
import type { FilesInput } from '#shared/contract/support.ts';
import type { ProviderThread } from '#shared/contract/operator/support.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { variableLeft } from '#shared/domain/canned-answer.ts';
import { areSendable } from '#shared/domain/support-file.ts';
import type { SupportStatus } from '#shared/domain/support-thread.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { filesThatFit, type GivenFile, givenFiles, insertFiles, listFiles, readFile } from './files.ts';
import { selectEveryThread, selectNewest } from './provider-store.ts';
import { insertMessage, lockThread, nextTime, selectMessages, updateClosed } from './store.ts';

type Operator = EventContext & { db: Db };

/** Threads of all customers, those that wait longest first. */
export async function listThreads(
  db: Db | Tx,
  which: Parameters<typeof selectEveryThread>[1],
): Promise<ProviderThread[]> {
  return (await selectEveryThread(db, which)).map(threadOf);
}

/** A thread of any customer, without its messages. */
export async function requireAnyThread(db: Db | Tx, threadId: string): Promise<ProviderThread> {
  const [thread] = await listThreads(db, { id: threadId, limit: 1 });
  if (!thread)
    throw new OperatorRefusal(
      `There is no thread ${threadId}. List them with: octroi support list --status ALL`,
      'not_found',
    );
  return thread;
}

/** A thread with its newest messages, oldest first. */
export async function readThread(db: Db, threadId: string): Promise<OperatorReply<'readThread'>> {
  const thread = await requireAnyThread(db, threadId);
  const messages = await selectMessages(thread, db, threadId);
  const files = await listFiles(thread, db, threadId);
  return {
    ...thread,
    messages: messages.map(({ id, author, channel, message, ...row }) => ({
      id,
      author,
      channel,
      writtenBy: row.written_by,
      message,
      files: files.get(id) ?? [],
      leftOut: row.left_out,
      createdAt: row.created_at.toISOString(),
    })),
  };
}

const threadOf = (row: Awaited<ReturnType<typeof selectEveryThread>>[number]): ProviderThread => ({
  id: row.id,
  subject: row.subject,
  status: row.status,
  activationId: row.activation_id,
  customerId: row.customer_id,
  customerName: row.name,
  customerEmail: row.email,
  assignedTo: row.assigned_to,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
});

/** Answers a thread: the customer gets the reply in the portal and by mail. */
export async function replyToThread(
  operator: Operator,
  written: { threadId: string; message: string; lastMessageId?: string | undefined; files?: FilesInput },
  actor: string,
): Promise<void> {
  const { customerId } = await requireAnyThread(operator.db, written.threadId);
  const files = requireSendable(written);
  await transaction(operator.db, (tx) => addReply(operator, { customerId }, tx, { ...written, files, actor }));
}

/** The files of a reply. Throws when no message can have them, or a canned answer is not filled in. */
export function requireSendable({ message, files: input }: { message: string; files?: FilesInput }): GivenFile[] {
  const variable = variableLeft(message);
  if (variable !== undefined)
    throw new OperatorRefusal(`The reply still says ${variable}. Nothing was sent: replace it first.`);
  const files = givenFiles(input);
  if (!areSendable(files.map(({ content }) => content))) throw new OperatorRefusal(refusals.file_refused.message);
  return files;
}

/** A file of a thread. */
export async function readThreadFile(db: Db, which: { threadId: string; fileId: string }) {
  const { customerId } = await requireAnyThread(db, which.threadId);
  const file = await readFile({ customerId }, db, which);
  if (!file) throw new OperatorRefusal(`${which.threadId} has no file ${which.fileId}.`, 'not_found');
  return file;
}

/** Two people may answer at once, and the customer may write meanwhile: whoever has not read the newest message is told. */
export async function requireNewest(db: Db | Tx, threadId: string, lastMessageId: string | undefined): Promise<void> {
  if (lastMessageId === undefined || lastMessageId === (await selectNewest(db, threadId))) return;
  throw new OperatorRefusal(
    'There is a newer message in this thread, of the customer or of a colleague. Nothing was done: read it first.',
  );
}

interface WrittenReply {
  threadId: string;
  message: string;
  actor: string;
  files: readonly GivenFile[];
  /** The last message that the operator has read; not known of a mail. */
  lastMessageId?: string | undefined;
  /** Of the mail that it came by, and how many files of it were left out. */
  hash?: Buffer;
  leftOut?: number;
}

/** Writes a reply and tells the customer, in one transaction with the audit log. What was written stands in the thread alone. */
export async function addReply(operator: EventContext, owner: Owner, tx: Tx, reply: WrittenReply): Promise<void> {
  const { threadId, message, actor, hash = null } = reply;
  const files = hash === null ? reply.files : filesThatFit(reply.files);
  const leftOut = (reply.leftOut ?? 0) + reply.files.length - files.length;
  const channel = hash === null ? 'COMMAND' : 'MAIL';
  const thread = await lockThread(owner, tx, threadId);
  if (!thread) throw new OperatorRefusal(`There is no thread ${threadId}.`, 'not_found');
  await requireNewest(tx, threadId, reply.lastMessageId);
  const id = newId('SPM');
  await insertMessage(owner, tx, {
    id,
    thread_id: threadId,
    author: 'PROVIDER',
    member_id: null,
    channel,
    written_by: actor,
    mail_hash: hash,
    left_out: leftOut,
    message,
    created_at: nextTime(thread, operator.clock()),
  });
  await insertFiles(owner, tx, id, files);
  await recordAction(tx, {
    actor,
    reason: 'Reply to your message',
    action: 'support.reply',
    target: threadId,
    customerId: owner.customerId,
    effect: { messageId: id, channel },
  });
  const { subject, activation_id: activationId } = thread;
  const event = { threadId, messageId: id, subject, message, activationId, files: files.length };
  await happened(operator, owner, tx, { type: 'support.answered', ...event });
}

/** The thread; throws when it is closed, or there no longer. */
export function requireOpen<Thread extends { status: SupportStatus }>(id: string, thread: Thread | undefined): Thread {
  if (!thread || thread.status === 'CLOSED') throw new OperatorRefusal(`${id} is closed already.`, 'nothing_to_change');
  return thread;
}

/** Closes a thread; the customer can open it again by writing. */
export async function closeThread(
  operator: Operator,
  { threadId, lastMessageId }: { threadId: string; lastMessageId?: string | undefined },
  cause: OperatorCause,
): Promise<void> {
  const owner = await requireAnyThread(operator.db, threadId);
  await transaction(operator.db, async (tx) => {
    const thread = requireOpen(threadId, await lockThread(owner, tx, threadId));
    await requireNewest(tx, threadId, lastMessageId);
    await updateClosed(tx, thread, operator.clock());
    const effect = { before: thread.status };
    const { customerId } = owner;
    await recordAction(tx, { ...cause, action: 'support.close', target: threadId, customerId, effect });
  });
}
