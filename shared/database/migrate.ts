import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { openClient } from './clients.ts';
import { needsOf } from './expand-contract.ts';
import { updateRoles } from './roles.ts';
import { readSchemaFiles, type SchemaFiles, schemaFolder } from './schema-files.ts';
import { putIn, refreshObjects } from './schema-objects.ts';
import { shippedFingerprints } from './schema-parts.ts';
import { inTransaction, repeatedOnConflict, repeatedUntilLocked } from './transaction.ts';

const changesFolder = projectFolder('shared', 'database', 'changes');

export interface Migration {
  /** `NNN-name.sql` */
  name: string;
  sql: string;
  /** SHA-256 of the text with \n line ends. */
  checksum: string;
  /** Of the first one, which creates everything as it is after all changes. A database that has it never gets it again, so its text may change. */
  whole?: SchemaFiles;
}

interface AppliedMigration extends Pick<Migration, 'name' | 'checksum'> {
  /** The number of the newest migration that a program must know to run with this one applied; null before it was recorded. */
  needs: string | null;
}

/** The first of `readMigrations`. */
const wholeName = '000-schema.sql';

/** An arbitrary number for the advisory lock that nothing else uses: the letters "octr". */
const migrationLock = 0x6f637472;

/** How long a migration waits for a table, such as one that a backup reads. All calls that use the table wait behind it. */
const lockWaitMs = 1000;

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The schema of this version as a whole, and the changes that bring the tables of earlier versions to it. */
export function readMigrations(folders = { schema: schemaFolder, changes: changesFolder }): Migration[] {
  const whole = { ...readSchemaFiles(folders.schema), fingerprints: shippedFingerprints };
  const sql = whole.parts.map((part) => part.sql).join('');
  return [{ name: wholeName, sql, checksum: checksumOf(sql), whole }, ...readChanges(folders.changes)];
}

/**
 * Reads the changes of a folder in order. Throws when a number is missing or duplicate, or a name has another
 * format.
 */
export function readChanges(folder: string): Migration[] {
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.sql'))
        .toSorted()
    : [];
  return names.map((name, index) => {
    const expected = String(index + 1).padStart(3, '0');
    if (!/^\d{3}-[a-z0-9-]+\.sql$/.test(name) || !name.startsWith(`${expected}-`)) {
      throw new Error(`The migration ${name} must be named ${expected}-what-it-does.sql.`);
    }
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql, checksum: checksumOf(sql) };
  });
}

/** The number of the newest migration that this version knows: `000` where there is the schema alone. */
export const newestMigration = (): string => (readChanges(changesFolder).at(-1)?.name ?? wholeName).slice(0, 3);

/** Brings the tables of Octroi up to date, as `applyMigrations` does. */
export async function migrate(databaseUrl: string, migrations = readMigrations()): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi migrate' });
  await client.connect();
  try {
    const applied = await applyMigrations(client, migrations);
    // Also when nothing was applied: an earlier run may have ended before it.
    await whileLocked(client, () => updateRoles(client));
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * Applies the migrations that a database lacks and returns their names. Each runs in its own transaction together with
 * its row in `schema_migrations`. Several processes may call it at once: each migration is applied once. Throws when an
 * applied migration has been edited or is missing: migrations are only ever added.
 * @param schema has a `schema_migrations` of its own, and is created; without it they are in the default schema
 */
export async function applyMigrations(
  client: ClientBase,
  migrations: readonly Migration[],
  schema?: string,
): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const name = await applyNext(client, migrations, schema);
    if (name === undefined) break;
    names.push(name);
  }
  const whole = migrations[0]?.whole;
  if (whole === undefined || names.includes(wholeName)) return names;
  return [...names, ...(await whileLocked(client, () => refreshObjects(client, whole)))];
}

/** Runs `work` in a transaction, while no other process changes the tables; again if it could not lock them or was ended by a deadlock. */
function whileLocked<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  const once = () =>
    inTransaction(client, async () => {
      await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
      // On a large table a migration may take longer than a call may.
      await client.query('set local statement_timeout = 0');
      await client.query(`set local lock_timeout = ${lockWaitMs}`);
      return work();
    });
  // The version before goes on with its work beside a migration, and may lock the same tables in another order.
  return repeatedOnConflict(() => repeatedUntilLocked(once, lockWaitMs));
}

/** Applies the first missing migration; undefined when none is missing. */
async function applyNext(
  client: ClientBase,
  migrations: readonly Migration[],
  schema: string | undefined,
): Promise<string | undefined> {
  const history = historyOf(schema);
  return whileLocked(client, async () => {
    if (schema !== undefined) await createSchema(client, schema);
    // `if not exists` would need the right to create tables even where it exists; the processes only look whether a migration is missing.
    const missing = await client.query('select where to_regclass($1) is null', [history]);
    if (missing.rowCount !== 0)
      await client.query(`create table ${history} (
        name text primary key, checksum text not null, applied_at timestamptz not null default now(), needs text)`);
    const applied = await appliedMigrations(client, schema);
    checkHistory(applied, migrations);
    const next = migrations[applied.length];
    if (next === undefined) return undefined;
    await run(client, next);
    // The schema as a whole has every change in it.
    for (const each of next.whole ? migrations : [next])
      await client.query(`insert into ${history} (name, checksum, needs) values ($1, $2, $3)`, [
        each.name,
        each.checksum,
        needsOf(each),
      ]);
    return next.name;
  });
}

/** `if not exists` would need the right to create schemas even where it exists. */
async function createSchema(client: ClientBase, schema: string): Promise<void> {
  const found = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (found.rowCount === 0) await client.query(`create schema ${schema}`);
}

async function run(client: ClientBase, { name, sql, whole }: Migration): Promise<void> {
  await client.query(sql).catch((error: unknown) => {
    throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  if (!whole) return;
  await putIn(client, whole.objects);
  for (const { calls } of whole.parts) await client.query(calls);
}

const historyOf = (schema: string | undefined) =>
  schema === undefined ? 'schema_migrations' : `${schema}.schema_migrations`;

const appliedRow = z.object({ name: z.string(), checksum: z.string(), needs: z.string().nullable() });

/** The migrations applied to a database, or to a schema of it, in order; empty for a new one. */
export async function appliedMigrations(client: ClientBase, schema?: string): Promise<AppliedMigration[]> {
  const history = historyOf(schema);
  const found = await client.query('select to_regclass($1) is not null as has_table', [history]);
  if (checkedRows(z.object({ has_table: z.boolean() }), found)[0]?.has_table !== true) return [];
  const applied = await client.query(`select name, checksum, needs from ${history} order by name`);
  return checkedRows(appliedRow, applied);
}

/**
 * Throws when an applied migration has been edited or is missing. One that only a newer version knows may be applied when it only adds, or takes
 * away what these migrations no longer use: so a process can be started again during an upgrade, and the version before after it.
 */
export function checkHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.name.slice(0, 3) ?? '000';
  for (const [index, { name, checksum, needs }] of applied.entries()) {
    const migration = migrations[index];
    if (migration === undefined && needs !== null && needs <= newest) continue;
    if (migration?.name !== name) {
      throw new Error(
        `The database has the migration ${name}, which this version of Octroi does not have. Start the version that wrote it, or a newer one.`,
      );
    }
    if (migration.checksum !== checksum && !migration.whole) {
      throw new Error(
        `The migration ${name} was edited after it was applied. Put it back and add a new migration instead.`,
      );
    }
  }
}
