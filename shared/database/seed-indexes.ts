import type { Client } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';

const statements = z.object({ remove: z.string(), restore: z.string() });

/**
 * Loads tables without the indexes, exclusion constraints and triggers that cost most per row, and makes them again in one pass each;
 * the passes verify every row. To be called in a transaction, so that a failure leaves everything as it was.
 */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  load: () => Promise<void>,
  say: (what: string) => void = () => {},
): Promise<void> {
  const indexes = checkedRows(
    statements,
    await client.query(
      `select 'drop index ' || indexrelid::regclass as remove, pg_get_indexdef(indexrelid) as restore
       from pg_index where indrelid = any ($1::regclass[])
         and not exists (select from pg_constraint where conindid = indexrelid)
       union all
       select format('alter table %s drop constraint %I', conrelid::regclass, conname),
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where contype = 'x' and conrelid = any ($1::regclass[])
       union all
       -- These fire in every session; millions of rows would leave notes that nothing reads.
       select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
         format('alter table %s enable always trigger %I', tgrelid::regclass, tgname)
       from pg_trigger where tgname = 'noted_for_ledger'`,
      [tables],
    ),
  );
  for (const { remove } of indexes) await client.query(remove);
  await load();
  say('indexes');
  for (const { restore } of indexes) await client.query(restore);
}
