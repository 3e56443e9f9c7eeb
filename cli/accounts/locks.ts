import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import type { Db } from '#database/connect.ts';
import { lastDayOf, type Month } from '#domain/month.ts';
import { isSameBalance } from '#domain/trial-balance.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import {
  listPeriodLocks,
  lockMonth,
  readLockedBalance,
  requireLockable,
  requireLocked,
  unlockMonth,
} from '#server/features/period-locks/period-locks.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi accounts lock` */
export async function lockBooks(month: Month, options: ActionOptions): Promise<void> {
  await asReader(async (db) => {
    await requireLockable(db, month);
    const effect = `No document will be dated into ${month}, and no e-invoice of it cancelled.`;
    if (await isOnlyShown(month, effect, options)) return;
    await lockMonth(db, month, causeOf(options), () => readTrialBalance(db, lastDayOf(month)));
    printResult(options.json, { month, locked: true }, [`${month} is locked.`]);
  });
}

/** `octroi accounts unlock` */
export async function unlockBooks(month: Month, options: ActionOptions): Promise<void> {
  await asReader(async (db) => {
    await requireLocked(db, month);
    if (await isOnlyShown(month, `Documents can be dated into ${month} again.`, options)) return;
    await unlockMonth(db, month, causeOf(options));
    printResult(options.json, { month, locked: false }, [`${month} is open.`]);
  });
}

/** True with `--dry-run`; otherwise asks. */
async function isOnlyShown(month: Month, effect: string, options: ActionOptions): Promise<boolean> {
  if (options.dryRun === true) {
    printResult(options.json, { month, changed: false }, [effect, 'Nothing was changed.']);
    return true;
  }
  showEffect([effect], options);
  await confirm('Go on?', options);
  return false;
}

/** `octroi accounts locks`: the records, and whether each locked month still has the figures of its lock. */
export async function listLocks({ json }: { json?: boolean }): Promise<void> {
  const { records, changed, unknown } = await withProgress('Locked months', () =>
    asReader(async (db) => {
      const found = await listPeriodLocks(db);
      return { records: found, ...(await compareMonths(db, new Set(found.map(({ month }) => month)))) };
    }),
  );
  const lines = records.map(({ month, action, reason, operator, recordedAt }) => {
    const did = action === 'LOCK' ? 'locked' : 'unlocked';
    return `${month} ${did} on ${recordedAt.toISOString()} by ${operator}: ${reason}`;
  });
  printResult(json, { records, changed, unknown }, records.length === 0 ? ['No month has been locked.'] : lines);
  const faults = [
    ...changed.map((month) => `The figures of ${month} have changed since it was locked.`),
    ...unknown.map(
      (month) =>
        `The figures of ${month} were not stored when it was locked. If no command locks it just now, unlock it, and lock it again to compare them.`,
    ),
  ];
  if (faults.length > 0) throw new CommandFailed(faults.join('\n'), exitCodes.faults);
}

/** The locked months whose figures differ from those of their lock, and those whose figures at the lock nobody knows. */
async function compareMonths(db: Db, months: Iterable<Month>): Promise<{ changed: Month[]; unknown: Month[] }> {
  const changed: Month[] = [];
  const unknown: Month[] = [];
  for (const month of months) {
    const atLock = await readLockedBalance(db, month);
    if (atLock === null) unknown.push(month);
    else if (atLock !== undefined && !isSameBalance(atLock, await readTrialBalance(db, lastDayOf(month))))
      changed.push(month);
  }
  return { changed, unknown };
}
