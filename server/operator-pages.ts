import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import type { BaseTable } from '#shared/database/fact-builders.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** Which page of a list: `after` the row with this id. */
export interface AskedPage {
  after?: string | undefined;
  limit: number;
}

/** A condition of SQL: rows that follow, newest first, the one with this id; without an id all of them. By the stored time, which is finer than that of JavaScript. */
export async function pastPage(
  db: Db,
  table: BaseTable,
  columns: { time: string; id: string },
  after: string | undefined,
) {
  if (after === undefined) return condition`true`;
  const [time, id] = [sql.ref(columns.time), sql.ref(columns.id)];
  const found = sql`from ${sql.table(table)} where ${id} = ${after}`;
  const { rows } = await sql`select ${found}`.execute(db);
  if (rows.length === 0)
    throw new OperatorRefusal(`The list can’t go on after ${after}: it has no such row.`, 'not_found');
  const row = condition`(${sql.ref(`${table}.${columns.time}`)}, ${sql.ref(`${table}.${columns.id}`)})`;
  return condition`${row} < (select ${time}, ${id} ${found})`;
}

/** The rows of a page, of which one more was read to know whether there is another page. */
export function pageOf<Row>(read: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: read.length > limit && last !== undefined ? idOf(last) : null };
}
