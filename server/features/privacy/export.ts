import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import type { PersonalData } from '#shared/database/fact-builders.ts';
import { secretColumns } from '#shared/database/roles.ts';
import { personalTables } from '#shared/database/table-facts.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { logThrough } from '#shared/request-log/open.ts';
import { storedPdfColumns } from '#server/document-files/document-files.ts';
import { type ZipEntry, zipOf } from '#server/features/month-pack/month-pack.ts';
import { requestsAsCsv } from '#server/features/request-log/request-log.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { hasProducts, inProducts, ofCustomer } from './customer-rows.ts';
import { dataKinds } from './kinds.ts';
import { productTables } from './product-tables.ts';

/** What the export reads from. */
type Source = Pick<Portal, 'db' | 'clock' | 'documentFiles' | 'requestLog'>;

type StoredFile = NonNullable<PersonalData['file']>;

const jsonRow = z.object({ row: z.record(z.string(), z.unknown()) });
const fileRow = z.object({ name: z.string(), key: z.string() });
const bytesRow = z.object({ bytes: z.instanceof(Buffer) });
const pdfRow = z.object({
  pdf: z.instanceof(Buffer).nullable(),
  pdf_sha256: z.instanceof(Buffer),
  place: z.string().nullable(),
  bytes: z.number().nullable(),
});

/**
 * Everything about a customer as one ZIP, as it was at one moment: each table as JSON, the request log as CSV, and files as they are. `progress`
 * hears of each part. Holds a connection until the stream is read or destroyed, so it must be read without pauses.
 */
export async function exportCustomer(
  source: Source,
  owner: Owner,
  progress: (part: string) => void = () => undefined,
): Promise<Readable> {
  const snapshot = await source.db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  const end = () => snapshot.rollback().execute();
  try {
    const entries = await entriesOf(
      { ...source, db: snapshot, requestLog: logThrough(snapshot, source.requestLog) },
      owner,
      progress,
    );
    const zip = zipOf(entries, new Date(source.clock()));
    // The connection may be lost already, and then the snapshot is too.
    zip.once('close', () => void end().catch(() => undefined));
    return zip;
  } catch (error) {
    await end();
    throw error;
  }
}

async function entriesOf(source: Source, owner: Owner, progress: (part: string) => void): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [{ name: 'README.txt', content: readme(owner, source.clock()) }];
  const add = (name: string, content: () => Promise<Buffer> | AsyncIterable<Buffer>) =>
    entries.push({
      name,
      content: () => {
        progress(name);
        return content();
      },
    });
  for (const { table, rule } of personalTables)
    add(`data/${rule.kind}/${table}.json`, () =>
      jsonOf(source.db, sql.table(table), ofCustomer(rule, owner), rule.leaveOut ?? secretColumns(table)),
    );
  if (await hasProducts(source.db))
    for (const [table, rule] of Object.entries(productTables))
      add(`data/${rule.kind}/products.${table}.json`, () =>
        jsonOf(source.db, sql.table(`products.${table}`), inProducts(owner), rule.leaveOut),
      );
  for (const { table, rule } of personalTables) {
    const { file } = rule;
    if (file === undefined) continue;
    for (const { name, key } of await filesOf(source.db, table, rule, file, owner))
      add(`${file.folder}/${name}`, () =>
        file.isPdf ? pdfOf(source, table, key) : bytesOf(source.db, table, file, key),
      );
  }
  for (const activation of await activationsOf(source.db, owner))
    add(`requests/${activation}.csv`, () => requestLogOf(source, owner, activation));
  return entries;
}

/** Rows that are read at once. */
const rowsAtOnce = 500;

/** The rows of a table as one JSON list, read in parts, so that a long table needs little memory. */
async function* jsonOf(
  db: Db,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  leaveOut: readonly string[],
): AsyncGenerator<Buffer> {
  await sql`declare exported no scroll cursor for
    select to_jsonb(t) - ${[...leaveOut]}::text[] as row from ${table} t where ${condition}`.execute(db);
  let begin = '[\n';
  for (let last = rowsAtOnce; last === rowsAtOnce;) {
    const rows = checkedRows(jsonRow, await sql`fetch ${sql.lit(rowsAtOnce)} from exported`.execute(db));
    last = rows.length;
    if (last === 0) break;
    yield Buffer.from(begin + rows.map(({ row }) => `  ${JSON.stringify(row)}`).join(',\n'));
    begin = ',\n';
  }
  await sql`close exported`.execute(db);
  yield Buffer.from(begin === '[\n' ? '[]\n' : '\n]\n');
}

/** The files of a table: their names, made unique, and the keys of their rows. */
async function filesOf(db: Db, table: string, rule: PersonalData, file: StoredFile, owner: Owner) {
  const { key, column, nameColumn, extension = '', isPdf = false } = file;
  const result = await sql`select t.${sql.ref(nameColumn)} || ${extension} as name, t.${sql.ref(key)} as key
    from ${sql.table(table)} t where ${isPdf ? sql`true` : sql`t.${sql.ref(column)} is not null`} and ${ofCustomer(rule, owner)} order by 2`.execute(
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

/** The PDF of a document, wherever it lies. */
async function pdfOf({ db, documentFiles }: Source, table: string, documentId: string): Promise<Buffer> {
  const result =
    await sql`select ${sql.join(storedPdfColumns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where document_id = ${documentId}`.execute(db);
  const [stored] = checkedRows(pdfRow, result);
  return stored === undefined ? Buffer.alloc(0) : documentFiles.read(stored);
}

async function activationsOf(db: Db, { customerId }: Owner): Promise<string[]> {
  const rows = await db
    .selectFrom('activations')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function* requestLogOf(source: Source, owner: Owner, activationId: string): AsyncGenerator<Buffer> {
  for await (const part of requestsAsCsv(source, owner, activationId, {}, { whole: true })) yield Buffer.from(part);
}

function readme({ customerId }: Owner, now: number): string {
  const kinds = Object.entries(dataKinds).map(([name, { what }]) => `data/${name}: ${what}`);
  return [
    `Everything that we keep about the customer ${customerId}, read on ${new Date(now).toISOString()}.`,
    '',
    ...kinds,
    'documents, letters, tds, support-files: files as they are. requests: the log of calls, by activation.',
    '',
    'Each JSON file is a table: a list of rows. Keys, passwords and other secrets are left out; amounts are in paise.',
    '',
  ].join('\n');
}
