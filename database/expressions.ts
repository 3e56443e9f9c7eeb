import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The few expressions that the query builder does not have. Nothing else may give SQL a type by hand: here the types
 * follow from the arguments or from PostgreSQL, and a test reads each from a database.
 */

/** The database's clock, also within a transaction. */
export const databaseTime: RawBuilder<Date> = sql<Date>`clock_timestamp()`;

/** When the transaction began, by the database's clock. */
export const transactionTime: RawBuilder<Date> = sql<Date>`now()`;

/** A time that is so much later; null stays null. */
export function later<Time extends Date | null>(time: Expression<Time>, byMs: number): RawBuilder<Time> {
  return sql<Time>`${time} + make_interval(secs => ${byMs / 1000})`;
}

/** How many rows there are; `where`: of those that fulfil it. */
export function countRows(where?: Expression<SqlBool>): RawBuilder<number> {
  return where === undefined ? sql<number>`count(*)` : sql<number>`count(*) filter (where ${where})`;
}

/** The sum over the rows, 0 for none; `where`: of those that fulfil it. */
export function sumOf(value: Expression<number | null>, where?: Expression<SqlBool>): RawBuilder<number> {
  return where === undefined
    ? sql<number>`coalesce(sum(${value}), 0)`
    : sql<number>`coalesce(sum(${value}) filter (where ${where}), 0)`;
}

/** The smallest value, null for no rows. */
export function leastOf<Value>(value: Expression<Value>): RawBuilder<Value | null> {
  return sql<Value | null>`min(${value})`;
}

/** A condition in SQL. PostgreSQL refuses one that is not boolean. */
export function condition(strings: TemplateStringsArray, ...values: unknown[]): RawBuilder<SqlBool> {
  return sql<SqlBool>(strings, ...values);
}
