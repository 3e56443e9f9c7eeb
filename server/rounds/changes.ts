import { sql } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Items } from './steps.ts';

/** The readers of the changed customers that triggers record (table customer_changes). */
export type ChangeReader = 'ledger' | 'rounds';

/** Which customers a step looks at, one by one. */
export interface RoundScope {
  customers: 'all' | string[];
  items: Items;
}

/** Changed customers, and the change rows that were read. */
export interface CustomerChanges {
  customerIds: string[];
  notes: { customerId: string; tx: string }[];
}

/** The customers that changed since this reader last deleted its rows; reads up to `limit` rows. */
export async function readChanges(db: Db | Tx, reader: ChangeReader, limit: number): Promise<CustomerChanges> {
  const rows = await db
    .selectFrom('customer_changes')
    .select(['customer_id', 'tx'])
    .where('reader', '=', reader)
    .limit(limit)
    .execute();
  return {
    customerIds: [...new Set(rows.map((row) => row.customer_id))],
    notes: rows.map((row) => ({ customerId: row.customer_id, tx: row.tx })),
  };
}

/** Deletes exactly the rows that were read; a change committed in the meantime has a row of its own. */
export async function deleteChanges(db: Db, reader: ChangeReader, { notes }: CustomerChanges): Promise<void> {
  const customers = notes.map((note) => note.customerId);
  const transactions = notes.map((note) => note.tx);
  await sql`delete from customer_changes c
    using unnest(${customers}::text[], ${transactions}::text[]) as read (customer_id, tx)
    where c.reader = ${reader} and c.customer_id = read.customer_id and c.tx = read.tx::xid8`.execute(db);
}

/** The rounds that have processed every customer for the day. */
export async function readDoneFor(db: Db, day: Day): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('daily_rounds').select('name').where('day', '=', day).execute();
  return new Set(rows.map(({ name }) => name));
}

export async function setDoneFor(db: Db, names: readonly string[], day: Day): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('daily_rounds')
    .values(names.map((name) => ({ name, day })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ day }))
    .execute();
}

/** After a failure, or a change for all: the next run processes every customer again. */
export async function setNotDone(db: Db | Tx, name: string): Promise<void> {
  await db.deleteFrom('daily_rounds').where('name', '=', name).execute();
}
