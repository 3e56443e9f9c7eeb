import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { lowestPostgres } from './lowest-postgres.ts';
import { requireDatabase, requireSessions } from './require-database.ts';
import { readMigrations } from './migrate.ts';
import { customersSql } from './test-customers.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { startFakeServer } from './test-fake-server.ts';

let migrated: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  [migrated, empty] = [await createTestDatabase(), await createTestDatabase('empty')];
});
afterAll(async () => {
  await Promise.all([migrated.close(), empty.close()]);
});

const changes = ['901-a.sql', '902-b.sql'].map((name) => ({ name, sql: 'select 1', checksum: '' }));

test('accepts a database with every migration', async () => {
  await expect(requireDatabase(migrated.databaseUrl)).resolves.toBeUndefined();
});

test('rejects an empty database and names the command that creates its tables', async () => {
  await expect(requireDatabase(empty.databaseUrl)).rejects.toThrow(
    'The database is empty. Create its tables first: octroi migrate',
  );
});

test('rejects a database that lacks migrations, naming the first one and the command', async () => {
  await expect(
    requireDatabase(migrated.databaseUrl, { migrations: [...readMigrations(), ...changes] }),
  ).rejects.toThrow('it lacks 2 migrations, beginning with 901-a.sql. Bring it up to date first: octroi migrate');
});

test('rejects a database of a newer version, unless what that version added lets this one run', async () => {
  const older = readMigrations();
  const added =
    'insert into schema_migrations (name, checksum, needs) values ($1, $2, $3) on conflict (name) do update set needs = $3';
  const needs = (text: string | null) => migrated.owner.pool.query(added, ['901-a.sql', '', text]);
  const newest = older.at(-1)?.name.slice(0, 3) ?? '';
  for (const allowed of ['000', newest]) {
    await needs(allowed);
    await requireDatabase(migrated.databaseUrl, { migrations: older });
  }
  for (const refused of [null, String(Number(newest) + 1).padStart(3, '0')]) {
    await needs(refused);
    await expect(requireDatabase(migrated.databaseUrl, { migrations: older })).rejects.toThrow(
      'Start the version that wrote it, or a newer one.',
    );
  }
});

test.each([
  'postgres://me:un#said@127.0.0.1:1/octroi',
  'postgres://me:un/said@127.0.0.1:1/octroi',
  'postgres://me:unsaid@127.0.0.1:99999/octroi',
  'localhost:5432/octroi',
  'mysql://me:unsaid@127.0.0.1:1/octroi',
  'octroi',
])('%s is no address of a database, which is said without its password', async (databaseUrl) => {
  await expect(requireDatabase(databaseUrl)).rejects.toThrow(
    /^DATABASE_URL is not an address such as [^;]+; in a password/,
  );
  await expect(requireDatabase(databaseUrl)).rejects.not.toThrow('said');
});

test.each(['postgres:///octroi?host=/none', 'postgresql://me@/octroi?host=/none', '/none octroi'])(
  '%s, the address of a socket, is tried',
  async (databaseUrl) => {
    await expect(requireDatabase(databaseUrl)).rejects.toThrow(/^Cannot connect .* ENOENT/);
  },
);

test('a user without rights in a new database is told how to get them', async () => {
  const database = await createTestDatabase();
  try {
    await database.owner.pool.query('revoke select on schema_migrations from octroi_run');
    await expect(requireDatabase(database.databaseUrl)).rejects.toThrow(
      /^PostgreSQL did not answer a question: permission denied for table schema_migrations\. .*: octroi database roles$/,
    );
  } finally {
    await database.close();
  }
});

test('an unreachable database is reported in one sentence, without the password', async () => {
  const refused = requireDatabase('postgres://me:unsaid@127.0.0.1:1/octroi');
  await expect(refused).rejects.toThrow(
    /^Cannot connect to the database in DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  );
});

test('rejects a pooler in transaction mode, which serves two open sessions with one connection', async () => {
  const pooled = await startFakeServer('16.4', () => 4711);
  await expect(requireDatabase(pooled)).rejects.toThrow('set its pool_mode to session');
  await expect(requireSessions(pooled)).rejects.toThrow('set its pool_mode to session');
});

test('accepts a pooler in session mode', async () => {
  await expect(requireSessions(await startFakeServer('16.4', (connection) => connection))).resolves.toBeUndefined();
});

test('rejects a PostgreSQL that is too old, naming its version', async () => {
  const old = await startFakeServer(`${lowestPostgres - 1}.14 (Debian)`, (connection) => connection);
  await expect(requireDatabase(old)).rejects.toThrow(
    `PostgreSQL ${lowestPostgres - 1}.14 (Debian) is too old: Octroi needs ${lowestPostgres} or newer.`,
  );
});

test('the operating guide names the oldest PostgreSQL that is taken', () => {
  const guide = readFileSync(projectFolder('docs', 'operating', 'install.md'), 'utf8');
  expect(guide.match(/PostgreSQL \d+ or newer/g)).toEqual([`PostgreSQL ${lowestPostgres} or newer`]);
});

test('a rehearsal’s database fits no production and production’s no rehearsal, and neither becomes the other once it has a customer', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { db } = database.owner;
  const mark = (is: boolean) => sql`update installation set is_rehearsal = ${is}`.execute(db);
  await expect(requireDatabase(database.databaseUrl, { isRehearsal: true })).rejects.toThrow(
    'this database is not a rehearsal’s',
  );
  await mark(true);
  await expect(requireDatabase(database.databaseUrl, { isRehearsal: true })).resolves.toBeUndefined();
  await expect(requireDatabase(database.databaseUrl)).rejects.toThrow('This database is a rehearsal’s');
  await expect(mark(false)).rejects.toThrow('from its first start, or never');
  await expect(sql`delete from installation`.execute(db)).rejects.toThrow('stays recorded');

  const real = await createTestDatabase();
  onTestFinished(() => real.close());
  await real.owner.pool.query(customersSql(`values ('CUS-1', 'a@b.in', 'A', 'A', 'B', '', now())`));
  await expect(sql`update installation set is_rehearsal = true`.execute(real.owner.db)).rejects.toThrow(
    'from its first start, or never',
  );
});
