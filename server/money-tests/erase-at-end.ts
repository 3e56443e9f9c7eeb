import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import type { Money } from './test-money.ts';

const cause = { actor: 'test', reason: 'By the model' };
const rowText = z.object({ row: z.string() });
const books = ['documents', 'document_series', 'ledger_entries', 'payments', 'refunds', 'amendments', 'e_invoices'];

/** Every paper and every entry of money of a customer, and the last numbers of all series, as text. */
async function booksOf(db: Db, customerId: string): Promise<Map<string, Set<string>>> {
  const rows = await Promise.all(
    books.map(async (table) => {
      // What moves on by itself when a plan ends: the place in the chain, the hash, and the state of a payout.
      const isOf = ['document_series', 'e_invoices'].includes(table) ? sql`true` : sql`t.customer_id = ${customerId}`;
      const result = await sql`select (to_jsonb(t) - '{position,hash}'::text[])::text as row from ${sql.table(table)} t
        where ${isOf}`.execute(db);
      return [table, new Set(checkedRows(rowText, result).map(({ row }) => row))] as const;
    }),
  );
  return new Map(rows);
}

/**
 * Erases a customer at the end of a random life, if nothing is open: no document, number or entry of money changes by it. Plans that end by it add to
 * them. The faults of the ledger are looked for at the end of all lives.
 */
export async function eraseAtEnd(money: Money, customerId: string): Promise<void> {
  const { db } = money.portal;
  const before = await booksOf(db, customerId);
  const hasPlans = await db
    .selectFrom('cycles')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'PAID')
    .executeTakeFirst();
  try {
    await eraseByOperator(money.portal, customerId, cause, { endPlans: true, withinYear: true });
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error;
    expect(error.message).toMatch(/while money or papers are open|it needs a bank account/);
    expect(await booksOf(db, customerId)).toEqual(before);
    return;
  }
  const after = await booksOf(db, customerId);
  for (const [table, rows] of before) {
    const found = after.get(table) ?? new Set();
    // A plan that ends may refund its unused days: a credit note takes the next number.
    if (hasPlans && table === 'document_series') continue;
    expect(
      [...rows].filter((row) => !found.has(row)),
      table,
    ).toEqual([]);
    if (!hasPlans) expect(found.size, table).toBe(rows.size);
  }
}
