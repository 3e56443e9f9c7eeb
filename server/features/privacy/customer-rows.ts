import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { PersonalData } from '#shared/database/fact-builders.ts';
import { tableFacts } from '#shared/database/table-facts.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Owner } from '#server/portal.ts';

/** The condition that finds a customer's rows of the table `t`. */
export function ofCustomer({ by, of, ofColumn = 'id' }: PersonalData, { customerId }: Owner): RawBuilder<SqlBool> {
  const column = sql.raw(by.includes(' ') ? `t.${by}` : `t."${by}"`);
  if (of === undefined) return sql`${column} = ${customerId}`;
  const parent = tableFacts[of].customer;
  if (typeof parent === 'string') throw new Error(`${of} is about no customer`);
  return sql`${column} in (select t.${sql.ref(ofColumn)} from ${sql.table(of)} t where ${ofCustomer(parent, { customerId })})`;
}

/** The same for a table of the products. */
export const inProducts = ({ customerId }: Owner): RawBuilder<SqlBool> =>
  sql`t.caller in (select name || mode from unnest(array['', '/test']) as mode,
    (select a.id from activations a where a.customer_id = ${customerId} union all select ${customerId}) as callers (name))`;

/** Are the tables of the products in this database? */
export async function hasProducts(db: Db | Tx): Promise<boolean> {
  const result = await sql`select to_regclass('products.answers') is not null as found`.execute(db);
  return checkedRows(z.object({ found: z.boolean() }), result)[0]?.found ?? false;
}
