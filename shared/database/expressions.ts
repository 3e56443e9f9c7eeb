import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The few expressions that the query builder lacks. Nothing else may assign a type to SQL by hand: here the types
 * follow from the arguments or from PostgreSQL, and a test reads each from a database.
 */

/** The database's clock, also within a transaction. */
export const databaseTime: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

/** The same in whole milliseconds, as JavaScript has times. */
export const databaseMs: RawBuilder<Date> = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/** The start of the transaction, by the database's clock. */
export const transactionTime: RawBuilder<Date> = sql<Date>`now()`;

/** A time plus a duration; null stays null. */
export function later<Time extends Date | null>(time: Expression<Time>, byMs: number): RawBuilder<Time> {
  return sql<Time>`${time} + make_interval(secs => ${byMs / 1000})`;
}

/** The number of rows; `where`: of those that match it. */
export function countRows(where?: Expression<SqlBool>): RawBuilder<number> {
  return where === undefined ? sql<number>`count(*)` : sql<number>`count(*) filter (where ${where})`;
}

/** The sum over the rows, 0 for none; `where`: over those that match it. */
export function sumOf(value: Expression<number | null>, where?: Expression<SqlBool>): RawBuilder<number> {
  return where === undefined
    ? sql<number>`coalesce(sum(${value}), 0)`
    : sql<number>`coalesce(sum(${value}) filter (where ${where}), 0)`;
}

/** The smallest value, null for no rows. */
export function leastOf<Value>(value: Expression<Value>): RawBuilder<Value | null> {
  return sql<Value | null>`min(${value})`;
}

/** A condition in SQL. PostgreSQL rejects one that is not boolean. */
export function condition(strings: TemplateStringsArray, ...values: unknown[]): RawBuilder<SqlBool> {
  return sql<SqlBool>(strings, ...values);
}

/** A text for LIKE, which finds it as it is. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
