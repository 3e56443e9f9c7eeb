import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { act, type ActionOptions, ask } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { listLocks, lockMonth, type stepsBeforeLock, unlockMonth } from '#shared/contract/operator/month-end.ts';
import { istTime } from '#shared/domain/day.ts';
import type { Month } from '#shared/domain/month.ts';
import { faultsOfLocks } from '#server/features/bookkeeping/bookkeeping.ts';

/** `octroi accounts lock` */
export const lockBooks = (
  month: Month,
  options: ActionOptions & { despite?: (typeof stepsBeforeLock)[number][] },
): Promise<void> =>
  act(lockMonth, { month, despite: options.despite }, options, {
    did: 'changed',
    effect: ({ undone }) => [
      `No document will be dated into ${month}, and no e-invoice of it cancelled.`,
      ...undone.map(({ step, about }) => `Left undone: ${step}: ${about}`),
    ],
    question: 'Go on?',
    done: () => [`${month} is locked.`],
  });

/** `octroi accounts unlock` */
export const unlockBooks = (month: Month, options: ActionOptions): Promise<void> =>
  act(unlockMonth, { month }, options, {
    did: 'changed',
    effect: () => [`Documents can be dated into ${month} again.`],
    question: 'Go on?',
    done: () => [`${month} is open.`],
  });

/** `octroi accounts locks`: the records, and whether each locked month still has the figures of its lock. */
export async function printLocks({ json }: { json?: boolean }): Promise<void> {
  const { records, changed, unknown } = await withProgress('Locked months', () => ask(listLocks, {}));
  const lines = records.map(({ month, action, reason, operator, recordedAt }) => {
    const did = action === 'LOCK' ? 'locked' : 'unlocked';
    return `${month} ${did} on ${istTime(new Date(recordedAt))} by ${operator}: ${reason}`;
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
