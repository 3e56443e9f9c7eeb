import type { Db, Tx } from '#shared/database/connect.ts';
import type { SupportStatus } from '#shared/domain/support-thread.ts';

/** Threads of all customers with their names, those that wait longest first; one of them by its id. */
export function selectEveryThread(
  db: Db | Tx,
  {
    id,
    status,
    customerId,
    assignedTo,
    after,
    limit,
  }: {
    id?: string;
    status?: SupportStatus | undefined;
    customerId?: string | undefined;
    /** An address; null: of nobody. */
    assignedTo?: string | null | undefined;
    /** The last thread of the page before. */
    after?: { changedAt: Date; id: string } | undefined;
    limit: number;
  },
) {
  let query = db
    .selectFrom('support_threads as thread')
    .innerJoin('customers as customer', 'customer.id', 'thread.customer_id')
    .select(['thread.id', 'thread.subject', 'thread.status', 'thread.activation_id', 'thread.customer_id'])
    .leftJoin('operators as assignee', 'assignee.id', 'thread.assigned_to')
    .select(['thread.created_at', 'thread.changed_at'])
    .select(['customer.name', 'customer.email', 'assignee.email as assigned_to']);
  if (id !== undefined) query = query.where('thread.id', '=', id);
  if (status !== undefined) query = query.where('thread.status', '=', status);
  if (customerId !== undefined) query = query.where('thread.customer_id', '=', customerId);
  if (assignedTo === null) query = query.where('thread.assigned_to', 'is', null);
  else if (assignedTo !== undefined) query = query.where('assignee.email', '=', assignedTo);
  if (after !== undefined)
    query = query.where((row) =>
      row(row.refTuple('thread.changed_at', 'thread.id'), '>', row.tuple(after.changedAt, after.id)),
    );
  return query.orderBy('thread.changed_at').orderBy('thread.id').limit(limit).execute();
}

/** The newest message of a thread. */
export async function selectNewest(db: Db | Tx, threadId: string): Promise<string | undefined> {
  const newest = await db
    .selectFrom('support_messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.id;
}

/** An operator by address, but for those who were removed; a removal waits for the transaction. */
export function selectOperator(db: Db | Tx, email: string) {
  return db
    .selectFrom('operators')
    .select(['id', 'role'])
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

export async function updateAssigned(tx: Tx, threadId: string, operatorId: string | null): Promise<void> {
  await tx.updateTable('support_threads').set({ assigned_to: operatorId }).where('id', '=', threadId).execute();
}
