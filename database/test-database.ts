import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { openClient } from './clients.ts';
import { connect, type Connection, type Db, type Tx } from './connect.ts';
import { templateName } from './test-server.ts';

export interface TestDatabase extends Connection {
  databaseUrl: string;
}

/** How many connections of the same database wait for a lock. The server has the databases of other tests too. */
export async function countWaiting(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = openClient({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A separate database for a test file: empty, migrated, in a real PostgreSQL. Call it once in a file and close it in
 * `afterAll`, which drops it.
 * @param from `empty` gives a database without any table.
 */
export async function createTestDatabase(from: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const serverUrl = await text(createConnection(inject('testServerSocket')));
  if (serverUrl.startsWith('!')) throw new Error(serverUrl.slice(1));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${from === 'migrated' ? templateName : 'template0'}`);
  const databaseUrl = new URL(serverUrl);
  databaseUrl.pathname = `/${name}`;
  const connection = connect(databaseUrl.href, { applicationName: 'octroi test' });
  return {
    ...connection,
    databaseUrl: databaseUrl.href,
    close: async () => {
      await connection.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}
