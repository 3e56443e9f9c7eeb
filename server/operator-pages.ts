import { sql } from 'kysely';
import { condition } from '#shared/database/expressions.ts';
import type { BaseTable } from '#shared/database/fact-builders.ts';

/** Which page of a list: `after` the row with this id. */
export interface AskedPage {
  after?: string | undefined;
  limit: number;
}

/**
 * A condition of SQL: rows that follow, newest first, the one with this id. By the stored time, which is finer than that of JavaScript. Without an
 * id all of them, and none when there is no such row.
 */
export function pastPage(table: BaseTable, columns: { time: string; id: string }, after: string | undefined) {
  if (after === undefined) return condition`true`;
  const [time, id] = [sql.ref(columns.time), sql.ref(columns.id)];
  const row = condition`(${sql.ref(`${table}.${columns.time}`)}, ${sql.ref(`${table}.${columns.id}`)})`;
  return condition`${row} < (select ${time}, ${id} from ${sql.table(table)} where ${id} = ${after})`;
}

/** The rows of a page, of which one more was read to know whether there is another page. */
export function pageOf<Row>(read: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: read.length > limit && last !== undefined ? idOf(last) : null };
}
