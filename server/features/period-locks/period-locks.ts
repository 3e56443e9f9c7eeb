import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { assertMonth, firstDayOf, type Month, monthOf, nextMonth } from '#shared/domain/month.ts';
import type { TrialBalance } from '#shared/domain/trial-balance.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { insertPeriodLock, isDayLocked, selectPeriodLocks, selectReachedDay, updateTrialBalance } from './store.ts';

export { isDayLocked } from './store.ts';

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
 * are finished first. The trial balance of its last day is stored, so that a later change of its figures shows. `effect`: for the audit log.
 */
export async function lockMonth(
  db: Db,
  month: Month,
  cause: OperatorCause,
  readTrialBalance: () => Promise<TrialBalance>,
  effect: object = {},
): Promise<void> {
  const lockable = await requireLockable(db, month, cause, await selectReachedDay(db));
  const id = await record(db, { month, action: 'LOCK', effect }, lockable);
  await updateTrialBalance(db, id, await readTrialBalance());
}

/** The cause as it is recorded. Throws OperatorRefusal when a month is not over or locked already, or the reason too short or too long. */
export async function requireLockable(
  db: Db,
  month: Month,
  cause: OperatorCause,
  reached: Day | null,
): Promise<OperatorCause> {
  const open = firstDayOf(nextMonth(assertMonth(month)));
  if (reached !== null && reached < open) {
    throw new OperatorRefusal(`${month} isn't over: documents are still dated into it. Lock it from ${open} on.`);
  }
  if (await isLocked(db, month)) throw new OperatorRefusal(`${month} is locked already.`, 'nothing_to_change');
  return recordable(cause);
}

/** Opens a locked month again, for the time that a correction takes. */
export async function unlockMonth(db: Db, month: Month, cause: OperatorCause): Promise<void> {
  await record(db, { month, action: 'UNLOCK', effect: {} }, await requireUnlockable(db, month, cause));
}

/** The cause as it is recorded. Throws OperatorRefusal when a month is open, or the reason too short or too long. */
export async function requireUnlockable(db: Db, month: Month, cause: OperatorCause): Promise<OperatorCause> {
  if (!(await isLocked(db, assertMonth(month))))
    throw new OperatorRefusal(`${month} isn't locked.`, 'nothing_to_change');
  return recordable(cause);
}

/** Among the locks, and in the audit log. */
function record(
  db: Db,
  { month, action, effect }: { month: Month; action: 'LOCK' | 'UNLOCK'; effect: object },
  { actor, reason }: OperatorCause,
): Promise<number> {
  return transaction(db, async (tx) => {
    const id = await insertPeriodLock(tx, { month, action, reason, operator: actor });
    const verb = action === 'LOCK' ? 'months.lock' : 'months.unlock';
    await recordAction(tx, { actor, reason, action: verb, target: month, customerId: null, effect });
    return id;
  });
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

/** The trial balance that was stored when each locked month was locked; null when the command that locked it was ended before it had stored one. */
export async function readLockedBalances(db: Db): Promise<Map<Month, TrialBalance | null>> {
  const last = new Map((await selectPeriodLocks(db)).map((lock) => [lock.month, lock]));
  return new Map(
    [...last.values()].flatMap(({ month, action, trial_balance: balance }) =>
      action === 'LOCK' ? [[month, balance] as const] : [],
    ),
  );
}

/** A clock behind the others may still be in a month that is over; a longer way than this is a fault. */
const maxShiftMs = 86_400_000;

/**
 * The time at which a document is issued: the wanted one, or the first moment of the next month when its own month has been locked and ends within a
 * day. Throws OperatorRefusal when that month is locked and not about to end.
 */
export async function timeInOpenMonth(tx: Tx, wantedMs: number): Promise<number> {
  const month = monthOf(dayOf(wantedMs));
  if (!(await isDayLocked(tx, firstDayOf(month)))) return wantedMs;
  const next = firstDayOf(nextMonth(month));
  if (startOfDay(next) - wantedMs <= maxShiftMs && !(await isDayLocked(tx, next))) return startOfDay(next);
  throw new OperatorRefusal(
    `No document can be dated ${dayOf(wantedMs)}: the books of ${month} are locked. Unlock them with: octroi accounts unlock ${month} --reason "…"`,
  );
}

async function isLocked(db: Db, month: Month): Promise<boolean> {
  return (await selectPeriodLocks(db, month)).at(-1)?.action === 'LOCK';
}

function recordable({ actor, reason: text }: OperatorCause): OperatorCause {
  const reason = text.trim();
  if (reason.length < 3 || reason.length > 500)
    throw new OperatorRefusal('Give a reason of 3 to 500 characters.', 'invalid_request');
  return { actor, reason };
}
