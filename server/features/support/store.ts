import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import { maxMessagesShown, maxThreadsShown, type SupportAuthor } from '#shared/domain/support-thread.ts';
import { supportRights } from '#shared/policies/members/support.ts';
import type { Owner } from '#server/portal.ts';

type ThreadRow = Selectable<Tables['support_threads']>;
export type MessageRow = Selectable<Tables['support_messages']>;

/** A thread, with how many replies its customer has not read. */
export type ThreadWithUnread = ThreadRow & { unread: number };

const threads = (db: Db | Tx) =>
  db
    .selectFrom('support_threads as thread')
    .selectAll('thread')
    .select((select) =>
      select
        .selectFrom('support_messages as reply')
        .select(countRows().as('unread'))
        .whereRef('reply.thread_id', '=', 'thread.id')
        .where('reply.author', '=', 'PROVIDER')
        .where((where) =>
          where.or([
            where('thread.read_at', 'is', null),
            where('reply.created_at', '>', where.ref('thread.read_at').$notNull()),
          ]),
        )
        .$asScalar()
        .$notNull()
        .as('unread'),
    );

/** The owner's threads that changed last, the last one first; one of them by its id. */
export function selectThreads(owner: Owner, db: Db | Tx, threadId?: string): Promise<ThreadWithUnread[]> {
  let query = threads(db).where('thread.customer_id', '=', owner.customerId);
  if (threadId !== undefined) query = query.where('thread.id', '=', threadId);
  return query.orderBy('thread.changed_at', 'desc').orderBy('thread.id').limit(maxThreadsShown).execute();
}

/** The replies to the owner that are not read, in all threads. */
export async function countUnread(owner: Owner, db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('support_messages as reply')
    .innerJoin('support_threads as thread', 'thread.id', 'reply.thread_id')
    .select(countRows().as('count'))
    .where('reply.customer_id', '=', owner.customerId)
    .where('reply.author', '=', 'PROVIDER')
    .where((where) =>
      where.or([
        where('thread.read_at', 'is', null),
        where('reply.created_at', '>', where.ref('thread.read_at').$notNull()),
      ]),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** The newest messages of a thread, oldest first. */
export async function selectMessages(owner: Owner, db: Db | Tx, threadId: string): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('support_messages')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('thread_id', '=', threadId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxMessagesShown)
    .execute();
  return rows.toReversed();
}

/** How many messages the owner wrote: in a thread, or since then in all of them. */
export async function countOwnMessages(
  owner: Owner,
  tx: Tx,
  which: { threadId: string } | { since: Date },
): Promise<number> {
  const own = tx
    .selectFrom('support_messages')
    .select(countRows().as('count'))
    .where('customer_id', '=', owner.customerId)
    .where('author', '=', 'CUSTOMER');
  const counted =
    'since' in which ? own.where('created_at', '>', which.since) : own.where('thread_id', '=', which.threadId);
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** When the last message of a thread until then was written. */
export async function selectLastTime(owner: Owner, db: Db, threadId: string, until: Date): Promise<Date | undefined> {
  const message = await db
    .selectFrom('support_messages')
    .select('created_at')
    .where('customer_id', '=', owner.customerId)
    .where('thread_id', '=', threadId)
    .where('created_at', '<=', until)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return message?.created_at;
}

/** Locks one of the owner's threads, so that its messages follow one another. */
export function lockThread(owner: Owner, tx: Tx, threadId: string): Promise<ThreadRow | undefined> {
  return tx
    .selectFrom('support_threads')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('id', '=', threadId)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertThread(
  owner: Owner,
  tx: Tx,
  thread: { id: string; activationId: string | null; subject: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('support_threads')
    .values({
      id: thread.id,
      customer_id: owner.customerId,
      activation_id: thread.activationId,
      subject: thread.subject,
      created_at: thread.at,
      changed_at: thread.at,
      read_at: null,
    })
    .execute();
}

export async function insertMessage(owner: Owner, tx: Tx, message: Omit<MessageRow, 'customer_id'>): Promise<void> {
  await tx
    .insertInto('support_messages')
    .values({ ...message, customer_id: owner.customerId })
    .execute();
}

/** The replies until then are read; what was read stays read. */
export async function updateRead(owner: Owner, db: Db, threadId: string, until: Date): Promise<void> {
  await db
    .updateTable('support_threads')
    .set({ read_at: until })
    .where('customer_id', '=', owner.customerId)
    .where('id', '=', threadId)
    .where((where) => where.or([where('read_at', 'is', null), where('read_at', '<', until)]))
    .execute();
}

export async function updateClosed(tx: Tx, thread: ThreadRow, now: number): Promise<void> {
  await tx
    .updateTable('support_threads')
    .set({ status: 'CLOSED', changed_at: new Date(Math.max(now, thread.changed_at.getTime())) })
    .where('customer_id', '=', thread.customer_id)
    .where('id', '=', thread.id)
    .execute();
}

/** One side of a thread, by the address that its mails have. */
export interface ReplyAddress {
  threadId: string;
  customerId: string;
  side: SupportAuthor;
}

export async function selectByToken(db: Db, token: string): Promise<ReplyAddress | undefined> {
  const row = await db
    .selectFrom('support_threads as thread')
    .select(['thread.id', 'thread.customer_id', 'thread.customer_token'])
    .where((where) => where.or([where('customer_token', '=', token), where('provider_token', '=', token)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const side = row.customer_token === token ? 'CUSTOMER' : 'PROVIDER';
  return { threadId: row.id, customerId: row.customer_id, side };
}

/** The member of now with this address whose role may write to support, if there is one. */
export async function selectWriter(db: Db, { customerId }: Owner, email: string): Promise<string | undefined> {
  const member = await db
    .selectFrom('members')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .where('role', 'in', supportRights.replyToSupport)
    .where((row) => row(row.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .orderBy('joined_at')
    .limit(1)
    .executeTakeFirst();
  return member?.id;
}

export async function selectToken(owner: Owner, tx: Tx, threadId: string, side: SupportAuthor): Promise<string> {
  const row = await tx
    .selectFrom('support_threads')
    .select(['customer_token', 'provider_token'])
    .where('customer_id', '=', owner.customerId)
    .where('id', '=', threadId)
    .executeTakeFirstOrThrow();
  return side === 'CUSTOMER' ? row.customer_token : row.provider_token;
}

/** Was this mail taken before? */
export async function hasMail(db: Db, hash: Buffer): Promise<boolean> {
  return (await db.selectFrom('support_messages').select('id').where('mail_hash', '=', hash).execute()).length > 0;
}

/** How many mails of one side came into a thread since then. */
export async function countMailsSince(db: Db, { threadId, side }: ReplyAddress, since: Date): Promise<number> {
  const row = await db
    .selectFrom('support_messages')
    .select(countRows().as('count'))
    .where('thread_id', '=', threadId)
    .where('author', '=', side)
    .where('channel', '=', 'MAIL')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** When the next message of a thread is written: after all before it, whose times may be another machine's. */
export function nextTime(thread: ThreadRow, now: number): Date {
  return new Date(Math.max(now, thread.changed_at.getTime() + 1));
}
