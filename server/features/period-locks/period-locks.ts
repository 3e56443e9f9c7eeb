import type { Db, Tx } from '#database/connect.ts';
import { dayOf, startOfDay } from '#domain/day.ts';
import { assertMonth, firstDayOf, type Month, monthOf, nextMonth } from '#domain/month.ts';
import type { TrialBalance } from '#domain/trial-balance.ts';
import { insertPeriodLock, isDayLocked, selectPeriodLocks, selectReachedDay, updateTrialBalance } from './store.ts';

export { isDayLocked } from './store.ts';

/** Why a month cannot be locked or unlocked, or a document not be dated; the message is for the operator. */
export class PeriodLockRefusal extends Error {}

/** What an operator did to a month. */
export interface PeriodLockRecord {
  month: Month;
  action: 'LOCK' | 'UNLOCK';
  reason: string;
  operator: string;
  recordedAt: Date;
}

/**
 * Locks a month that is over (product §6.17): from now on no document is dated into it and no invoice of it is cancelled. Documents that are being issued
 * are finished first. The trial balance of its last day is stored, so that a later change of its figures shows.
 */
export async function lockMonth(
  db: Db,
  month: Month,
  by: { reason: string; operator: string },
  readTrialBalance: () => Promise<TrialBalance>,
): Promise<void> {
  const reason = reasonOf(by.reason);
  const open = firstDayOf(nextMonth(assertMonth(month)));
  const reached = await selectReachedDay(db);
  if (reached !== null && reached < open) {
    throw new PeriodLockRefusal(`${month} isn't over: documents are still dated into it. Lock it from ${open} on.`);
  }
  if (await isLocked(db, month)) throw new PeriodLockRefusal(`${month} is locked already.`);
  const id = await insertPeriodLock(db, { month, action: 'LOCK', reason, operator: by.operator });
  await updateTrialBalance(db, id, await readTrialBalance());
}

/** Opens a locked month again, for the time that a correction takes. */
export async function unlockMonth(db: Db, month: Month, by: { reason: string; operator: string }): Promise<void> {
  const reason = reasonOf(by.reason);
  if (!(await isLocked(db, assertMonth(month)))) throw new PeriodLockRefusal(`${month} isn't locked.`);
  await insertPeriodLock(db, { month, action: 'UNLOCK', reason, operator: by.operator });
}

/** What was locked and unlocked, oldest first. */
export async function listPeriodLocks(db: Db): Promise<PeriodLockRecord[]> {
  const rows = await selectPeriodLocks(db);
  return rows.map(({ month, action, reason, operator, recorded_at: recordedAt }) => ({
    month,
    action,
    reason,
    operator,
    recordedAt,
  }));
}

/** The trial balance that was stored when this month was locked; undefined when it is open. */
export async function readLockedBalance(db: Db, month: Month): Promise<TrialBalance | undefined> {
  const last = (await selectPeriodLocks(db, month)).at(-1);
  return last?.action === 'LOCK' ? (last.trial_balance ?? undefined) : undefined;
}

/** A clock behind the others may still be in a month that is over; a longer way than this is a fault. */
const maxShiftMs = 86_400_000;

/**
 * The time at which a document is issued: the wanted one, or the first moment of the next month when its own month has been locked and ends within a
 * day. Throws PeriodLockRefusal when that month is locked and not about to end.
 */
export async function timeInOpenMonth(tx: Tx, wantedMs: number): Promise<number> {
  const month = monthOf(dayOf(wantedMs));
  if (!(await isDayLocked(tx, firstDayOf(month)))) return wantedMs;
  const next = firstDayOf(nextMonth(month));
  if (startOfDay(next) - wantedMs <= maxShiftMs && !(await isDayLocked(tx, next))) return startOfDay(next);
  throw new PeriodLockRefusal(
    `No document can be dated ${dayOf(wantedMs)}: the books of ${month} are locked. Unlock them with: npm run accounts -- unlock ${month} --reason "…"`,
  );
}

async function isLocked(db: Db, month: Month): Promise<boolean> {
  return (await selectPeriodLocks(db, month)).at(-1)?.action === 'LOCK';
}

function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason.length < 3 || reason.length > 500) throw new PeriodLockRefusal('Give a reason of 3 to 500 characters.');
  return reason;
}
