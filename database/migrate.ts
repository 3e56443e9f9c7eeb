import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { projectFolder } from '#platform/project-folder.ts';
import { openClient } from './clients.ts';

export const migrationsFolder = projectFolder('database', 'migrations');

export interface Migration {
  /** `NNN-name.sql` */
  name: string;
  sql: string;
  /** SHA-256 of the text with \n line ends. */
  checksum: string;
}

type AppliedMigration = Pick<Migration, 'name' | 'checksum'>;

/** An arbitrary number for the advisory lock that nothing else uses: the letters "octr". */
const migrationLock = 0x6f637472;

/**
 * Reads the migrations of a folder in order. Throws when a number is missing or duplicate, or a name has another
 * format.
 */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return names.map((name, index) => {
    const expected = String(index + 1).padStart(3, '0');
    if (!/^\d{3}-[a-z0-9-]+\.sql$/.test(name) || !name.startsWith(`${expected}-`)) {
      throw new Error(`The migration ${name} must be named ${expected}-what-it-does.sql.`);
    }
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Brings a database up to date and returns the names of the migrations that it applied. Each runs in its own
 * transaction together with its row in `schema_migrations`. Several processes may call it at once: one works, the
 * others wait. Throws when an applied migration has been edited or is missing: migrations are only ever added.
 */
export async function migrate(databaseUrl: string, migrations = readMigrations()): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const applied = await appliedMigrations(client);
    checkHistory(applied, migrations);
    const pending = migrations.slice(applied.length);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

/** The migrations applied to a database, in order; empty for a new one. */
export async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const found = await client.query<{ has_table: boolean }>(
    `select to_regclass('schema_migrations') is not null as has_table`,
  );
  if (found.rows[0]?.has_table !== true) return [];
  const applied = await client.query<AppliedMigration>('select name, checksum from schema_migrations order by name');
  return applied.rows;
}

/** Throws when an applied migration has been edited or is missing. */
export function checkHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (migration?.name !== name) {
      throw new Error(
        `The database has the migration ${name}, which this version of Octroi does not have. Start the version that wrote it, or a newer one.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `The migration ${name} was edited after it was applied. Put it back and add a new migration instead.`,
      );
    }
  }
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
