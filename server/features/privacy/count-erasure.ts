import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { DataKindName, Erasure } from '#shared/database/fact-builders.ts';
import { personalTables } from '#shared/database/table-facts.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Owner } from '#server/portal.ts';
import { hasProducts, inProducts, ofCustomer } from './customer-rows.ts';
import { dataKinds } from './kinds.ts';
import { productTables } from './product-tables.ts';

/** The rows of a kind of data, and what an erasure does with them. */
export interface ErasureCount {
  kind: DataKindName;
  what: string;
  deleted: number;
  madeAnonymous: number;
  /** With all that is in them, because the law requires it or because they are entries of a chain. */
  kept: number;
  /** Ids and numbers that name nobody. */
  keptNumbers: number;
}

const countRow = z.object({ count: z.coerce.number().int() });

/** What an erasure would do, kind by kind; kinds of which there is nothing are left out. */
export async function countErasure(db: Db | Tx, owner: Owner): Promise<ErasureCount[]> {
  const counts = new Map<DataKindName, ErasureCount>();
  const add = (kind: DataKindName, column: keyof Omit<ErasureCount, 'kind' | 'what'>, rows: number) => {
    const one = counts.get(kind) ?? {
      kind,
      what: dataKinds[kind].what,
      deleted: 0,
      madeAnonymous: 0,
      kept: 0,
      keptNumbers: 0,
    };
    counts.set(kind, { ...one, [column]: one[column] + rows });
  };
  for (const { table, rule } of personalTables) {
    const result =
      await sql`select count(*) as count from ${sql.table(table)} t where ${ofCustomer(rule, owner)}`.execute(db);
    add(rule.kind, columnOf(rule.erasure), checkedRows(countRow, result)[0]?.count ?? 0);
  }
  if (await hasProducts(db))
    for (const [table, { kind }] of Object.entries(productTables)) {
      const result =
        await sql`select count(*) as count from ${sql.table(`products.${table}`)} t where ${inProducts(owner)}`.execute(
          db,
        );
      add(kind, 'deleted', checkedRows(countRow, result)[0]?.count ?? 0);
    }
  return [...counts.values()].filter(
    ({ deleted, madeAnonymous, kept, keptNumbers }) => deleted + madeAnonymous + kept + keptNumbers > 0,
  );
}

function columnOf(erasure: Erasure): 'deleted' | 'madeAnonymous' | 'kept' | 'keptNumbers' {
  if (erasure.does === 'delete') return 'deleted';
  if (erasure.does === 'blank') return 'madeAnonymous';
  return erasure.why === 'NUMBERS' ? 'keptNumbers' : 'kept';
}
