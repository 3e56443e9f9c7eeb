import { z } from 'zod';

/**
 * The rows that a raw statement returned. Nothing but the schema makes sure that they are what the code takes them for:
 * the compiler can't read SQL. Throws where a row is something else.
 */
export function checkedRows<Row extends z.ZodType>(row: Row, result: { rows: readonly unknown[] }): z.output<Row>[] {
  return z.array(row).parse(result.rows);
}
