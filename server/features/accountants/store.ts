import type { Db, Tx } from '#shared/database/connect.ts';
import type { AccountantRequest } from '#shared/domain/accountant.ts';
import type { Month } from '#shared/domain/month.ts';
import type { Owner } from '#server/portal.ts';

const columns = ['id', 'customer_id', 'email', 'asked_at', 'confirmed_at', 'next_month', 'ended_at'] as const;

/** The owner's accountant, confirmed or not yet; undefined without one. */
export function selectCurrent(owner: Owner, db: Db | Tx) {
  return db
    .selectFrom('accountants')
    .select(columns)
    .where('customer_id', '=', owner.customerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** A request by its id, which only its signed link contains. */
export function selectRequest(db: Db | Tx, id: string) {
  return db.selectFrom('accountants').select(columns).where('id', '=', id).executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockRequest(tx: Tx, id: string) {
  return tx.selectFrom('accountants').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Everything that the owner asked, and everything that the address was asked. */
export async function selectEarlier(owner: Owner, tx: Tx, email: string): Promise<AccountantRequest[]> {
  const rows = await tx
    .selectFrom('accountants')
    .select(['customer_id', 'email', 'asked_at', 'confirmed_at', 'ended_at', 'ended_by'])
    .where((row) => row.or([row('customer_id', '=', owner.customerId), row('email', '=', email)]))
    .execute();
  return rows.map((row) => ({
    customerId: row.customer_id,
    email: row.email,
    askedAt: row.asked_at.getTime(),
    isConfirmed: row.confirmed_at !== null,
    declinedAt: row.ended_by === 'ACCOUNTANT' ? (row.ended_at?.getTime() ?? null) : null,
  }));
}

export async function hasDocuments(owner: Owner, tx: Tx): Promise<boolean> {
  const found = await tx
    .selectFrom('documents')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertRequest(
  owner: Owner,
  tx: Tx,
  { id, email, now }: { id: string; email: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('accountants')
    .values({
      id,
      customer_id: owner.customerId,
      email,
      asked_at: now,
      confirmed_at: null,
      next_month: null,
      ended_at: null,
      ended_by: null,
    })
    .execute();
}

export async function confirm(tx: Tx, id: string, now: Date, firstMonth: Month): Promise<void> {
  await tx.updateTable('accountants').set({ confirmed_at: now, next_month: firstMonth }).where('id', '=', id).execute();
}

/** Ends a request, unless it has ended meanwhile, and drops the mails to the accountant that have not been sent. */
export async function end(tx: Tx, id: string, by: 'CUSTOMER' | 'ACCOUNTANT', now: Date): Promise<void> {
  await tx
    .updateTable('accountants')
    .set({ ended_at: now, ended_by: by })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
  await tx.deleteFrom('mails').where('accountant_id', '=', id).where('sent_at', 'is', null).execute();
}

/** Accountants for whom a month before this one was not looked at yet. */
export function selectDue(db: Db, before: Month, after: string, limit: number) {
  return db
    .selectFrom('accountants')
    .select(['id', 'customer_id'])
    .where('ended_at', 'is', null)
    .where('next_month', '<', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function setNextMonth(tx: Tx, id: string, month: Month): Promise<void> {
  await tx.updateTable('accountants').set({ next_month: month }).where('id', '=', id).execute();
}
