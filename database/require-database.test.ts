import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from '#platform/project-folder.ts';
import { lowestPostgres } from './lowest-postgres.ts';
import { requireDatabase, requireSessions } from './require-database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let migrated: TestDatabase;
let empty: TestDatabase;
const servers: Server[] = [];
beforeAll(async () => {
  [migrated, empty] = [await createTestDatabase(), await createTestDatabase('empty')];
});
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all([migrated.close(), empty.close()]);
});

const message = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
};
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const ready = message('Z', Buffer.from('I'));

const textType = 25;
const int4Type = 23;

/** The response to a simple query: one column, one row. */
function oneValue(name: string, type: number, value: string): Buffer {
  const column = Buffer.concat([
    Buffer.from(`${name}\0`),
    Buffer.alloc(6),
    Buffer.from([0, 0, 0, type]),
    Buffer.alloc(8),
  ]);
  const text = Buffer.from(value);
  const size = Buffer.alloc(4);
  size.writeInt32BE(text.length);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), size, text])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
}

/**
 * Speaks just enough of PostgreSQL's protocol for a starting process. `pidOf`: the backend that serves a connection's
 * statement.
 */
async function startFakeServer(version: string, pidOf: (connection: number) => number): Promise<string> {
  let connections = 0;
  const server = createServer((socket: Socket) => {
    connections += 1;
    const connection = connections;
    let begun = false;
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (!begun) {
        begun = true;
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
        return;
      }
      if (data[0] !== 'Q'.charCodeAt(0)) return;
      const asksVersion = data.includes('server_version');
      const pid = () => oneValue('pid', int4Type, String(pidOf(connection)));
      socket.write(asksVersion ? oneValue('server_version', textType, version) : pid());
    });
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `postgres://octroi:none@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/octroi`;
}

test('accepts a database with every migration', async () => {
  await expect(requireDatabase(migrated.databaseUrl)).resolves.toBeUndefined();
});

test('rejects an empty database and names the command that creates its tables', async () => {
  await expect(requireDatabase(empty.databaseUrl)).rejects.toThrow(
    'The database is empty. Create its tables first: octroi migrate',
  );
});

test('rejects a database that lacks migrations, naming the first one and the command', async () => {
  const migrations = readMigrations();
  const old = await createTestDatabase('empty');
  await migrate(old.databaseUrl, migrations.slice(0, -2));
  await expect(requireDatabase(old.databaseUrl)).rejects.toThrow(
    `it lacks 2 migrations, beginning with ${migrations.at(-2)?.name}. Bring it up to date first: octroi migrate`,
  );
  await old.close();
});

test('rejects a database of a newer version', async () => {
  await expect(requireDatabase(migrated.databaseUrl, readMigrations().slice(0, -1))).rejects.toThrow(
    'Start the version that wrote it, or a newer one.',
  );
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
