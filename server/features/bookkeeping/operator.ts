import type { bookkeepingCalls } from '#shared/contract/operator/bookkeeping.ts';
import { dayOf } from '#shared/domain/day.ts';
import { lastDayOf } from '#shared/domain/month.ts';
import {
  listPeriodLocks,
  lockMonth,
  requireLockable,
  requireUnlockable,
  unlockMonth,
} from '#server/features/period-locks/period-locks.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { storeReachedDay } from '#server/product-clock.ts';
import { compareLockedMonths, readOpenBalance } from './bookkeeping.ts';

export const bookkeepingHandlers: Handlers<typeof bookkeepingCalls> = {
  lockMonth: {
    needs: 'database',
    preview: async ({ db, clock }, { month }, cause) => {
      await requireLockable(db, month, cause, dayOf(clock()));
      return { month, locked: true };
    },
    perform: async ({ db, clock }, { month }, cause) => {
      await storeReachedDay(db, dayOf(clock()));
      await lockMonth(db, month, cause, () => readOpenBalance(db, lastDayOf(month)));
      return { month, locked: true };
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
