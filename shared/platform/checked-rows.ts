import { z } from 'zod';

/** The rows of a raw statement, checked by a schema: the compiler can't read SQL. Throws when a row does not match. */
export function checkedRows<Row extends z.ZodType>(row: Row, result: { rows: readonly unknown[] }): z.output<Row>[] {
  return z.array(row).parse(result.rows);
}
