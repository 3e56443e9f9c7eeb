import { type monthEndCalls, monthEndSteps, stepsBeforeLock } from '#shared/contract/operator/month-end.ts';
import { dayOf } from '#shared/domain/day.ts';
import { lastDayOf, type Month, monthBefore, monthOf } from '#shared/domain/month.ts';
import {
  compareLockedMonths,
  exportsOfMonth,
  readBooks,
  readOpenBalance,
  selectToday,
} from '#server/features/bookkeeping/bookkeeping.ts';
import { exportOfMonth } from '#server/features/month-pack/month-pack.ts';
import {
  listPeriodLocks,
  lockMonth,
  requireLockable,
  requireUnlockable,
  unlockMonth,
} from '#server/features/period-locks/period-locks.ts';
import { exporting, type Handlers, type OperatorSource } from '#server/operator-handler.ts';
import { storeReachedDay } from '#server/product-clock.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { readSteps } from './steps.ts';

export const monthEndHandlers: Handlers<typeof monthEndCalls> = {
  readMonthEnd: {
    read: async (source, { month: given }) => {
      const today = await selectToday(source.db, source.clock);
      const month = given ?? monthBefore(monthOf(today));
      const steps = await readSteps(source, month, monthEndSteps);
      return { month, locked: steps.some(({ step, state }) => step === 'LOCK' && state === 'DONE'), steps };
    },
  },
  exportMonthPack: exporting(async ({ db, clock }, { month }) =>
    exportOfMonth(db, month, exportsOfMonth(db, month, await selectToday(db, clock), await readBooks(db))),
  ),
  lockMonth: {
    needs: 'database',
    preview: async (source, { month, despite }, cause) => {
      const { db, clock } = source;
      await requireLockable(db, month, cause, dayOf(clock()));
      return { month, locked: true, undone: await requireDone(source, month, despite) };
    },
    perform: async (source, { month, despite }, cause) => {
      const { db, clock } = source;
      await requireLockable(db, month, cause, dayOf(clock()));
      const undone = await requireDone(source, month, despite);
      await storeReachedDay(db, dayOf(clock()));
      await lockMonth(db, month, cause, () => readOpenBalance(db, lastDayOf(month)), { undone });
      return { month, locked: true, undone };
    },
  },
  unlockMonth: {
    needs: 'database',
    preview: async ({ db }, { month }, cause) => {
      await requireUnlockable(db, month, cause);
      return { month, locked: false };
    },
    perform: async ({ db }, { month }, cause) => {
      await unlockMonth(db, month, cause);
      return { month, locked: false };
    },
  },
  listLocks: {
    read: async ({ db }) => ({
      records: (await listPeriodLocks(db)).map(({ recordedAt, ...lock }) => ({
        ...lock,
        recordedAt: recordedAt.toISOString(),
      })),
      ...(await compareLockedMonths(db)),
    }),
  },
};

/** What is left undone on purpose. Throws OperatorRefusal with everything else that is not done. */
async function requireDone(
  source: OperatorSource,
  month: Month,
  despite: readonly (typeof stepsBeforeLock)[number][] = [],
) {
  const steps = await readSteps(source, month, stepsBeforeLock);
  const undone = steps.flatMap(({ step, state, about }) => (state === 'DONE' ? [] : [{ step, about }]));
  const open = undone.filter(({ step }) => !despite.includes(step));
  if (open.length > 0)
    throw new OperatorRefusal(
      `${month} isn't ready: ${open.map(({ step, about }) => `${step}: ${about}`).join('; ')}. Do it first, or name what may stay undone and say why in the reason.`,
    );
  return undone;
}
