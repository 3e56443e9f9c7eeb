import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { istTime } from '#domain/day.ts';
import { lastDayOf, type Month } from '#domain/month.ts';
import { compareLockedMonths, faultsOfLocks, readOpenBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import {
  listPeriodLocks,
  lockMonth,
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
    await lockMonth(db, month, causeOf(options), () => readOpenBalance(db, lastDayOf(month)));
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
    asReader(async (db) => ({ records: await listPeriodLocks(db), ...(await compareLockedMonths(db)) })),
  );
  const lines = records.map(({ month, action, reason, operator, recordedAt }) => {
    const did = action === 'LOCK' ? 'locked' : 'unlocked';
    return `${month} ${did} on ${istTime(recordedAt)} by ${operator}: ${reason}`;
  });
  printResult(json, { records, changed, unknown }, records.length === 0 ? ['No month has been locked.'] : lines);
  const faults = [
    ...faultsOfLocks({ changed, unknown }),
    ...unknown.map(
      (month) =>
        `The figures of ${month} were not stored when it was locked. If no command locks it just now, unlock it, and lock it again to compare them.`,
    ),
  ];
  if (faults.length > 0) throw new CommandFailed(faults.join('\n'), exitCodes.faults);
}
