import type { Db } from '#shared/database/connect.ts';
import { lastDayOf, type Month } from '#shared/domain/month.ts';
import { isSameBalance, trialBalanceOf } from '#shared/domain/trial-balance.ts';
import { readLockedBalances } from '#server/features/period-locks/period-locks.ts';
import { readBooks, vouchersThrough } from './books.ts';

/** The locked months whose figures differ from those of their lock, and those whose figures at the lock nobody knows. */
export interface ComparedMonths {
  changed: Month[];
  unknown: Month[];
}

export async function compareLockedMonths(db: Db): Promise<ComparedMonths> {
  const compared: ComparedMonths = { changed: [], unknown: [] };
  const atLocks = await readLockedBalances(db);
  if (atLocks.size === 0) return compared;
  const books = await readBooks(db);
  for (const [month, atLock] of atLocks) {
    if (atLock === null) compared.unknown.push(month);
    else if (!isSameBalance(atLock, trialBalanceOf(vouchersThrough(books, lastDayOf(month)))))
      compared.changed.push(month);
  }
  return compared;
}

/** One sentence for each month with other figures than at its lock. */
export function faultsOfLocks({ changed }: ComparedMonths): string[] {
  return changed.map((month) => `The figures of ${month} have changed since it was locked.`);
}
