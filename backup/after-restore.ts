import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '#shared/database/connect.ts';
import type { AfterRestore } from '#shared/database/fact-builders.ts';
import { factsOf } from '#shared/database/table-facts.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { restoreActor } from '#server/audit-log/audit-log.ts';

/** Rows of one kind; `names` where each is named. */
export interface RestoredRows {
  what: string;
  count: number;
  names: string[];
}

export interface AfterRestoreReport {
  /** What was ended, revoked or declined. */
  ended: RestoredRows[];
  /** What is valid as it was in the backup, whatever happened to it since. */
  lookAt: RestoredRows[];
}

/**
 * Ends what lets somebody in and declines what waits for a decision, as the facts of the tables say: it may have been ended or decided since the
 * backup, and a refund that was approved since is not to be approved again.
 */
export async function endAfterRestore(tx: Tx, at: Date, reason: string): Promise<AfterRestoreReport> {
  const report: AfterRestoreReport = { ended: [], lookAt: [] };
  // What refers to others goes before them.
  for (const [table, { afterRestore }] of [...factsOf].toReversed()) {
    if (afterRestore === undefined || 'stays' in afterRestore) continue;
    if ('lookAt' in afterRestore) report.lookAt.push(await namesIn(tx, table, afterRestore));
    else report.ended.push(await endIn(tx, table, afterRestore, { at, reason }));
  }
  return report;
}

async function namesIn(
  tx: Tx,
  table: string,
  { lookAt, names = 'null', only }: Extract<AfterRestore, { lookAt: string }>,
): Promise<RestoredRows> {
  const found =
    await sql`select count(*)::float8 as count, coalesce(array_agg(name order by name) filter (where name is not null), '{}') as names
    from (select ${sql.raw(names)}::text as name from ${sql.table(table)} where ${sql.raw(only)}) t`.execute(tx);
  const [row] = checkedRows(z.object({ count: z.number(), names: z.array(z.string()) }), found);
  return { what: lookAt, count: row?.count ?? 0, names: row?.names ?? [] };
}

async function endIn(
  tx: Tx,
  table: string,
  fact: Exclude<AfterRestore, { lookAt: string } | { stays: string }>,
  { at, reason }: { at: Date; reason: string },
): Promise<RestoredRows> {
  if ('ends' in fact) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(tx);
    return { what: fact.ends, count: Number(numAffectedRows ?? 0), names: [] };
  }
  const [what, open, change] =
    'revokes' in fact
      ? [fact.revokes, sql`revoked_at is null`, sql`revoked_at = ${at}`]
      : [fact.declines, sql`state = 'WAITING'`, sql`state = 'DECLINED', decided_at = ${at}`];
  // First the entries: the database refuses a change without.
  await sql`insert into operator_actions (actor, action, target, reason, effect)
    select ${restoreActor}, ${fact.action}, id, ${reason}, '{}' from ${sql.table(table)} where ${open}`.execute(tx);
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${change} where ${open}`.execute(tx);
  return { what, count: Number(numAffectedRows ?? 0), names: [] };
}
