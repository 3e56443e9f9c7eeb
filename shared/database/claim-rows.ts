import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { clockSkewMs } from '#shared/platform/clock.ts';
import { condition } from './expressions.ts';
import { transaction } from './transaction.ts';

/**
 * Claims rows for work that several processes share: locks up to `limit` of those that `select` finds, skips rows that another process
 * has locked, and schedules each claimed row's next attempt before the work on it starts. Work that fails, or whose process dies, is
 * therefore tried again. A row whose time is further away than it ever waits is due too: a clock was ahead, or somebody changed it.
 * @param select finds the rows whose column `isDue`
 * @param reschedule writes the time of a row's next attempt and returns the row's id
 */
export function claimRows<Tables, Table extends keyof Tables, Row>(
  db: Kysely<Tables>,
  { limit, nowMs, longestWaitMs }: { limit: number; nowMs: number; longestWaitMs: number },
  select: (
    tx: Transaction<Tables>,
    isDue: (column: string) => RawBuilder<SqlBool>,
  ) => SelectQueryBuilder<Tables, Table, Row>,
  reschedule: (tx: Transaction<Tables>, row: Row) => Promise<string>,
): Promise<string[]> {
  const [now, latest] = [new Date(nowMs), new Date(nowMs + longestWaitMs + clockSkewMs)];
  const isDue = (column: string) => condition`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latest})`;
  return transaction(db, async (tx) => {
    const ids: string[] = [];
    for (const row of await select(tx, isDue).limit(limit).forUpdate().skipLocked().execute()) {
      ids.push(await reschedule(tx, row));
    }
    return ids;
  });
}
