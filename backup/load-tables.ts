import { once } from 'node:events';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { jobTable, listTables, quoted } from './dump-tables.ts';
import { BackupFault, type Manifest } from './manifest.ts';

const trigger = z.object({ table: z.string(), name: z.string(), enabled: z.enum(['O', 'A', 'R', 'D']) });
const constraint = z.object({ table: z.string(), name: z.string(), definition: z.string() });
const ours = `n.nspname in ('public', 'products')`;

const enabling = { O: 'enable', A: 'enable always', R: 'enable replica', D: 'disable' } as const;

/**
 * Fills the tables of an empty, migrated database, in the transaction of the client. Triggers are off meanwhile, since the rows are what
 * they have made of earlier ones, and references between tables are added again at the end, which proves them. No superuser is needed.
 */
export interface TableLoader {
  /** Rows of one table, in parts; those of a table follow each other. */
  load: (table: string, data: Buffer) => Promise<void>;
  /** Ends the loading: every table must have as many rows as the backup says. */
  finish: (tables: Manifest['tables']) => Promise<void>;
}

export async function startLoading(client: ClientBase, tables: Manifest['tables']): Promise<TableLoader> {
  const known = new Map((await listTables(client)).map((table) => [table.name, table]));
  for (const [name, { columns }] of Object.entries(tables)) {
    const missing = columns.find((column) => known.get(name)?.columns.includes(column) !== true);
    if (missing !== undefined) throw new BackupFault(`The backup has ${name}.${missing}, which this database has not.`);
  }
  const triggers = await listTriggers(client);
  const references = await listReferences(client);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  // The schema has filled some of them.
  await client.query(
    `truncate ${[...known.keys()]
      .filter((name) => name !== jobTable && name in tables)
      .map(quoted)
      .join(', ')}`,
  );
  if (known.has(jobTable)) await client.query(`delete from ${jobTable}`);

  let current: { table: string; sink: ReturnType<typeof openSink> } | undefined;
  const endCurrent = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    if (ending === undefined) return;
    ending.sink.stream.end();
    await ending.sink.done;
  };

  const openSink = (table: string) => {
    const columns = tables[table]?.columns;
    if (columns === undefined)
      throw new BackupFault(`The backup has rows of ${table} that its manifest does not name.`);
    const stream = client.query(copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`));
    const done = once(stream, 'finish');
    done.catch(() => {});
    return { stream, done };
  };

  return {
    load: async (table, data) => {
      if (current?.table !== table) {
        await endCurrent();
        current = { table, sink: openSink(table) };
      }
      const { stream, done } = current.sink;
      if (data.length > 0 && !stream.write(data)) await Promise.race([once(stream, 'drain'), done]);
    },
    finish: async () => {
      await endCurrent();
      for (const { table, name, definition } of references)
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      for (const { table, name, enabled } of triggers)
        await client.query(`alter table ${table} ${enabling[enabled]} trigger ${name}`);
      await setSequences(client);
      for (const [name, { rows }] of Object.entries(tables)) {
        const found = await client.query(`select count(*)::float8 as rows from ${quoted(name)}`);
        const [has] = checkedRows(z.object({ rows: z.number() }), found);
        if (has?.rows !== rows) throw new BackupFault(`${name} has ${has?.rows ?? 0} rows instead of ${rows}.`);
      }
    },
  };
}

async function listTriggers(client: ClientBase) {
  const found = await client.query(
    `select c.oid::regclass::text as table, quote_ident(t.tgname) as name, t.tgenabled as enabled
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not t.tgisinternal order by 1, 2`,
  );
  return checkedRows(trigger, found);
}

async function listReferences(client: ClientBase) {
  const found = await client.query(
    `select c.oid::regclass::text as table, quote_ident(r.conname) as name, pg_get_constraintdef(r.oid) as definition
     from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and r.contype = 'f' order by 1, 2`,
  );
  return checkedRows(constraint, found);
}

/** Sequences go on after the highest value in use. */
async function setSequences(client: ClientBase): Promise<void> {
  const found = await client.query(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column,
       pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
  );
  const sequence = z.object({ table: z.string(), column: z.string(), sequence: z.string() });
  for (const { table, column, sequence: name } of checkedRows(sequence, found))
    await client.query(`select setval($1, coalesce((select max(${column}) from ${table}), 0) + 1, false)`, [name]);
}
