import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#database/connect.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import type { Caller } from '#server/portal.ts';
import { tableKinds } from './data-kinds.ts';
import { isPersonal, type PersonalTable } from './personal-table.ts';

/** Every table with rows about customers; each stands after those that it refers to. */
export const personalTables: readonly { table: string; rule: PersonalTable }[] = Object.entries(tableKinds).flatMap(
  ([table, rule]) => (isPersonal(rule) ? [{ table, rule }] : []),
);

/** The condition that finds a customer's rows of the table `t`. */
export function ofCustomer({ by, of, ofColumn = 'id' }: PersonalTable, { customerId }: Caller): RawBuilder<SqlBool> {
  const column = sql.raw(by.includes(' ') ? `t.${by}` : `t."${by}"`);
  if (of === undefined) return sql`${column} = ${customerId}`;
  const parent = tableKinds[of];
  if (!isPersonal(parent)) throw new Error(`${of} is about no customer`);
  return sql`${column} in (select t.${sql.ref(ofColumn)} from ${sql.table(of)} t where ${ofCustomer(parent, { customerId })})`;
}

/** The same for a table of the products. */
export const inProducts = ({ customerId }: Caller): RawBuilder<SqlBool> =>
  sql`t.caller in (select name || mode from unnest(array['', '/test']) as mode,
    (select a.id from activations a where a.customer_id = ${customerId} union all select ${customerId}) as callers (name))`;

/** Are the tables of the products in this database? */
export async function hasProducts(db: Db | Tx): Promise<boolean> {
  const result = await sql`select to_regclass('products.answers') is not null as found`.execute(db);
  return checkedRows(z.object({ found: z.boolean() }), result)[0]?.found ?? false;
}
