import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { type Items, unrecorded } from '#server/rounds/steps.ts';
import { dropDays } from './request-log-days.ts';
import { type AgeNow, tableAges } from './table-ages.ts';

/** Rows per statement: few enough not to block others. */
const batchSize = 1000;

/** Rows that are left after this time are deleted in the next round. */
const maxMs = 60_000;

/** Deletes rows that are older than their table keeps them, in small batches; returns how many. */
export async function deleteOldRows(db: Db, now: AgeNow, { each, stopping }: Items = unrecorded): Promise<number> {
  const deadline = performance.now() + maxMs;
  let deleted = 0;
  for (const [table, rule] of Object.entries(tableAges)) {
    if ('keep' in rule) continue;
    await each(table, async () => {
      if ('dropBefore' in rule) {
        await dropDays(db, rule.dropBefore(now));
        return;
      }
      const condition = rule.deleteWhen(now);
      for (let last = batchSize; last === batchSize; deleted += last) {
        if (stopping?.aborted || performance.now() > deadline) return;
        const result = await sql`delete from ${sql.table(table)}
          where ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${batchSize}))`.execute(
          db,
        );
        last = Number(result.numAffectedRows ?? 0);
      }
    });
  }
  return deleted;
}
