import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Items } from './steps.ts';

/** The items of a step, whose work is not done. A step does nothing but by its items, so that each fails alone. */
export async function itemsOf(db: Db, step: (items: Items) => Promise<unknown>): Promise<string[]> {
  const before = await written(db);
  const found: string[] = [];
  await step({ each: async (item) => void found.push(item), due: [] });
  expect(await written(db)).toEqual(before);
  return found;
}

/** Rows that steps add, by table. */
async function written(db: Db) {
  const tables = ['documents', 'event_keys', 'mails', 'refunds', 'support_messages', 'webhook_events'];
  const counts = tables
    .map((table) => `select '${table}' as name, count(*)::int as rows from ${table}`)
    .join(' union all ');
  return checkedRows(z.object({ name: z.string(), rows: z.number() }), await sql.raw(counts).execute(db));
}
