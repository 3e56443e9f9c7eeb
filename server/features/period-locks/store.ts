import type { Db, Tx } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Month } from '#shared/domain/month.ts';
import type { TrialBalance } from '#shared/domain/trial-balance.ts';

/** Adds a record; the database refuses one that changes nothing. Waits for documents that are being issued. */
export async function insertPeriodLock(
  tx: Tx,
  record: { month: Month; action: 'LOCK' | 'UNLOCK'; reason: string; operator: string },
): Promise<number> {
  const { id } = await tx.insertInto('period_locks').values(record).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Once, right after the month was locked. */
export async function updateTrialBalance(db: Db, id: number, balance: TrialBalance): Promise<void> {
  await db
    .updateTable('period_locks')
    .set({ trial_balance: JSON.stringify(balance) })
    .where('id', '=', id)
    .execute();
}

/** All records, or those of one month, oldest first. */
export function selectPeriodLocks(db: Db | Tx, month?: Month) {
  let query = db.selectFrom('period_locks').selectAll().orderBy('id');
  if (month !== undefined) query = query.where('month', '=', month);
  return query.execute();
}

/** Is the month of this day locked? It stays as it is until the transaction ends. The triggers ask the same function. */
export async function isDayLocked(tx: Tx, day: Day): Promise<boolean> {
  const { locked } = await tx
    .selectNoFrom((of) => of.fn<boolean>('month_is_locked', [of.cast(of.val(day), 'date')]).as('locked'))
    .executeTakeFirstOrThrow();
  return locked;
}

/** The latest day that the product has reached; null when no portal has run since the clock was moved. */
export async function selectReachedDay(db: Db): Promise<Day | null> {
  const { reached_day } = await db.selectFrom('clock').select('reached_day').executeTakeFirstOrThrow();
  return reached_day;
}
