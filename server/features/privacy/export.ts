import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#database/connect.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { type ZipEntry, zipOf } from '#server/features/month-pack/month-pack.ts';
import { requestsAsCsv } from '#server/features/request-log/request-log.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { hasProducts, ofActivations, ofCustomer, personalTables } from './customer-rows.ts';
import { productTables } from './data-kinds.ts';
import { dataKinds } from './kinds.ts';
import type { PersonalTable } from './personal-table.ts';

/** What the export reads from. */
type Source = Pick<Portal, 'db' | 'clock'>;

type StoredFile = NonNullable<PersonalTable['file']>;

const jsonRow = z.object({ row: z.record(z.string(), z.unknown()) });
const fileRow = z.object({ name: z.string(), key: z.string() });
const bytesRow = z.object({ bytes: z.instanceof(Buffer) });

/** Everything about a customer as one ZIP: each table as JSON, the request log as CSV, and files as they are. `progress` hears of each part. */
export async function exportCustomer(
  source: Source,
  caller: Caller,
  progress: (part: string) => void = () => undefined,
): Promise<Readable> {
  const entries: ZipEntry[] = [{ name: 'README.txt', content: readme(caller, source.clock()) }];
  const add = (name: string, content: () => Promise<Buffer>) =>
    entries.push({
      name,
      content: () => {
        progress(name);
        return content();
      },
    });
  for (const { table, rule } of personalTables)
    add(`data/${rule.kind}/${table}.json`, () => jsonOf(source.db, sql.table(table), ofCustomer(rule, caller), rule));
  if (await hasProducts(source.db))
    for (const [table, rule] of Object.entries(productTables))
      add(`data/${rule.kind}/products.${table}.json`, () =>
        jsonOf(source.db, sql.table(`products.${table}`), ofActivations(caller), rule),
      );
  for (const { table, rule } of personalTables) {
    const { file } = rule;
    if (file === undefined) continue;
    for (const { name, key } of await filesOf(source.db, table, rule, file, caller))
      add(`${file.folder}/${name}`, () => bytesOf(source.db, table, file, key));
  }
  for (const activation of await activationsOf(source.db, caller))
    add(`requests/${activation}.csv`, () => requestLogOf(source, caller, activation));
  return zipOf(entries, new Date(source.clock()));
}

async function jsonOf(
  db: Db,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  { leaveOut = [] }: { leaveOut?: readonly string[] },
): Promise<Buffer> {
  const result =
    await sql`select to_jsonb(t) - ${[...leaveOut]}::text[] as row from ${table} t where ${condition}`.execute(db);
  const rows = checkedRows(jsonRow, result).map(({ row }) => row);
  return Buffer.from(`${JSON.stringify(rows, null, 2)}\n`);
}

/** The files of a table: their names, made unique, and the keys of their rows. */
async function filesOf(db: Db, table: string, rule: PersonalTable, file: StoredFile, caller: Caller) {
  const { key, column, nameColumn, extension = '' } = file;
  const result = await sql`select t.${sql.ref(nameColumn)} || ${extension} as name, t.${sql.ref(key)} as key
    from ${sql.table(table)} t where t.${sql.ref(column)} is not null and ${ofCustomer(rule, caller)} order by 2`.execute(
    db,
  );
  const rows = checkedRows(fileRow, result);
  return rows.map(({ name, key: id }) => ({
    key: id,
    name: rows.filter((row) => row.name === name).length > 1 ? `${id}-${name}` : name,
  }));
}

async function bytesOf(db: Db, table: string, { column, key }: StoredFile, id: string): Promise<Buffer> {
  const result = await sql`select t.${sql.ref(column)} as bytes from ${sql.table(table)} t
    where t.${sql.ref(key)} = ${id}`.execute(db);
  return checkedRows(bytesRow, result)[0]?.bytes ?? Buffer.alloc(0);
}

async function activationsOf(db: Db, { customerId }: Caller): Promise<string[]> {
  const rows = await db
    .selectFrom('activations')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function requestLogOf(source: Source, caller: Caller, activationId: string): Promise<Buffer> {
  const lines: string[] = [];
  for await (const part of requestsAsCsv(source, caller, activationId, {})) lines.push(part);
  return Buffer.from(lines.join(''));
}

function readme({ customerId }: Caller, now: number): string {
  const kinds = Object.entries(dataKinds).map(([name, { what }]) => `data/${name}: ${what}`);
  return [
    `Everything that we keep about the customer ${customerId}, read on ${new Date(now).toISOString()}.`,
    '',
    ...kinds,
    'documents, letters, tds: files as they are. requests: the log of calls, by activation.',
    '',
    'Each JSON file is a table: a list of rows. Keys, passwords and other secrets are left out; amounts are in paise.',
    '',
  ].join('\n');
}
