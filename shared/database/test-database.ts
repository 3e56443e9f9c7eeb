import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { openClient } from './clients.ts';
import { connect, type Connection, type Db, type Tx } from './connect.ts';
import { rightsOnDatabase, rolesNamed } from './roles.ts';
import { rolePrefix, serverUrls, templateName } from './test-template.ts';

/** A database as the processes see it: its user has the rights of `octroi database roles`, as in production. */
export interface TestDatabase extends TestUser {
  /** Its owner, a superuser: plants faults, creates tables, backs up and restores. */
  owner: TestOwner;
  migrateUrl: string;
  readUrl: string;
}

export interface TestUser extends Connection {
  databaseUrl: string;
}

export interface TestOwner extends TestUser {
  /** Copies the database. Restoring the copy takes back everything that was written since. Both break every connection; nothing may run meanwhile. */
  backUp: () => Promise<{ restore: () => Promise<void>; remove: () => Promise<void> }>;
}

/** How many connections of the same database wait for a lock. The server has the databases of other tests too. */
export async function countWaiting(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

async function onServer(serverUrl: string, statements: readonly string[]): Promise<void> {
  const client = openClient({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A separate database for a test file: empty, migrated, in a real PostgreSQL. Call it once in a file and close it in
 * `afterAll`, which drops it.
 * @param from `empty` gives a database without any table, where everybody is the owner: nobody has rights yet.
 */
export async function createTestDatabase(from: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const reply = await text(createConnection(inject('testServerSocket')));
  if (reply.startsWith('!')) throw new Error(reply.slice(1));
  const server = serverUrls.parse(JSON.parse(reply));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const [template, rights] =
    from === 'migrated' ? [templateName, rightsOnDatabase(name, rolesNamed(rolePrefix))] : ['template0', []];
  // A copy has the rights of its template, but for those on the database itself. Copied through the log, it takes twice the work.
  await onServer(server.owner, [`create database ${name} template ${template} strategy file_copy`, ...rights]);
  const urlOf = (user: keyof typeof server): string => {
    const url = new URL(from === 'migrated' ? server[user] : server.owner);
    url.pathname = `/${name}`;
    return url.href;
  };
  const as = (user: keyof typeof server): TestUser => ({
    ...connect(urlOf(user), { applicationName: 'octroi test' }),
    databaseUrl: urlOf(user),
  });
  const run = as('run');
  const owner = as('owner');
  const copyTo = (copy: string): Promise<void> =>
    onServer(server.owner, [
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      `create database ${copy} template ${name} strategy file_copy`,
      `alter database ${name} allow_connections true`,
    ]);
  let backups = 0;
  const backUp = async () => {
    backups += 1;
    const backup = `${name}_${backups}`;
    await copyTo(backup);
    return {
      restore: () =>
        onServer(server.owner, [
          `drop database ${name} with (force)`,
          `create database ${name} template ${backup} strategy file_copy`,
          ...rights,
        ]),
      remove: () => onServer(server.owner, [`drop database ${backup} with (force)`]),
    };
  };
  return {
    ...run,
    owner: { ...owner, backUp },
    migrateUrl: urlOf('migrate'),
    readUrl: urlOf('read'),
    close: async () => {
      await Promise.all([run.close(), owner.close()]);
      await onServer(server.owner, [`drop database ${name} with (force)`]);
    },
  };
}
