import type { Db } from '#shared/database/connect.ts';
import { lastDayOf, type Month } from '#shared/domain/month.ts';
import { isSameBalance, trialBalanceOf } from '#shared/domain/trial-balance.ts';
import { listPeriodLocks, readLockedBalance } from '#server/features/period-locks/period-locks.ts';
import { readBooks, vouchersThrough } from './books.ts';

/** The locked months whose figures differ from those of their lock, and those whose figures at the lock nobody knows. */
export interface ComparedMonths {
  changed: Month[];
  unknown: Month[];
}

export async function compareLockedMonths(db: Db): Promise<ComparedMonths> {
  const compared: ComparedMonths = { changed: [], unknown: [] };
  const months = new Set((await listPeriodLocks(db)).map(({ month }) => month));
  const books = months.size > 0 ? await readBooks(db) : undefined;
  for (const month of months) {
    const atLock = await readLockedBalance(db, month);
    if (atLock === null) compared.unknown.push(month);
    else if (
      atLock !== undefined &&
      books &&
      !isSameBalance(atLock, trialBalanceOf(vouchersThrough(books, lastDayOf(month))))
    )
      compared.changed.push(month);
  }
  return compared;
}

/** One sentence for each month with other figures than at its lock. */
export function faultsOfLocks({ changed }: ComparedMonths): string[] {
  return changed.map((month) => `The figures of ${month} have changed since it was locked.`);
}
