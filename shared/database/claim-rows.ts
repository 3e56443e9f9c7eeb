import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import { transaction } from './transaction.ts';

/**
 * Claims rows for work that several processes share: locks up to `limit` of those that `select` finds, skips rows that another process
 * has locked, and schedules each claimed row's next attempt before the work on it starts. Work that fails, or whose process dies, is
 * therefore tried again.
 * @param reschedule writes the time of a row's next attempt and returns the row's id
 */
export function claimRows<Tables, Table extends keyof Tables, Row>(
  db: Kysely<Tables>,
  limit: number,
  select: (tx: Transaction<Tables>) => SelectQueryBuilder<Tables, Table, Row>,
  reschedule: (tx: Transaction<Tables>, row: Row) => Promise<string>,
): Promise<string[]> {
  return transaction(db, async (tx) => {
    const ids: string[] = [];
    for (const row of await select(tx).limit(limit).forUpdate().skipLocked().execute()) {
      ids.push(await reschedule(tx, row));
    }
    return ids;
  });
}
