import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { factsOf } from '#shared/database/table-facts.ts';
import { addDays } from '#shared/domain/day.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { type Items, unrecorded } from '#server/rounds/steps.ts';
import { type AgeNow, daysKept, oldRows } from './old-rows.ts';

/** Rows per statement: few enough not to block others. */
const batchSize = 1000;

/** Rows that are left after this time are deleted in the next round. */
const maxMs = 60_000;

/** Deletes rows that are older than their table keeps them, in small batches; returns how many. */
export async function deleteOldRows(db: Db, now: AgeNow, { each, stopping }: Items = unrecorded): Promise<number> {
  const deadline = performance.now() + maxMs;
  let deleted = 0;
  for (const [table, { age }] of factsOf) {
    if ('keep' in age) continue;
    await each(table, async () => {
      if ('dropDays' in age) {
        await postgresReader(db).expire(addDays(now.today, -daysKept(now, age.dropDays)));
        return;
      }
      const condition = oldRows(age, now);
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
