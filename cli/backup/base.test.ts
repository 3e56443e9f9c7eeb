import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readOwner } from '#backup/owner.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { openClient } from '#shared/database/clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { createLog } from '#shared/platform/log.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { planBackup } from './backup.ts';
import { keepBackingUp } from './schedule.ts';
import { customersSql } from '#shared/database/test-customers.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-base-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
const archive = join(folder, 'wal');
const keyFile = join(folder, 'key.txt');
const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
const terminal = captureTerminal();
let store: Awaited<ReturnType<typeof startS3>>;
let server: EmbeddedServer;
let client: Client;

const addCustomer = (id: string) =>
  client.query(customersSql(`values ($1, $1 || '@example.in', 'Asha', 'Asha', 'Rao', '', now())`), [id]);
const ask = async (sql: string): Promise<string> => {
  const { rows } = await client.query<{ value: string }>(sql);
  return rows[0]?.value ?? '';
};

beforeAll(async () => {
  store = await startS3({ ...account, bucket: 'backups' });
  mkdirSync(dataDir);
  setWalArchive(dataDir, archive);
  server = await startEmbedded({ dataDir, logFile: join(folder, 'postgres.log') });
  await migrate(server.databaseUrl);
  client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  await addCustomer('CUS-0');
  for (const [name, value] of Object.entries({
    DATA_DIR: dataDir,
    WAL_ARCHIVE_DIR: archive,
    BACKUP_DIR: `${store.url}/octroi`,
    BACKUP_S3_KEY_ID: account.keyId,
    BACKUP_S3_SECRET: account.secret,
    BACKUP_S3_REGION: account.region,
  }))
    vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await store.close();
  await removeEmbedded(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

/** The customers of a restored data folder, which is removed. */
async function customersIn(place: string): Promise<unknown> {
  const restored = await startEmbedded({ dataDir: place, logFile: join(folder, 'postgres.log') });
  const other = openClient({ connectionString: restored.databaseUrl });
  await other.connect();
  try {
    return (await other.query('select id from customers order by id')).rows.map(({ id }) => id);
  } finally {
    await other.end();
    await restored.stop();
    await removeEmbedded(place);
  }
}

test('a base backup and its log go to a store, encrypted, and are restored from there to a moment, or from a folder', async () => {
  expect(await run(['backup', 'key'])).toBe(exitCodes.done);
  writeFileSync(keyFile, terminal.out);
  vi.stubEnv('BACKUP_RECIPIENT', /age1\w+/.exec(terminal.out)?.[0] ?? '');
  terminal.out = '';
  expect(await run(['backup', 'base', '--to', `${store.url}/octroi`, '--json'])).toBe(exitCodes.done);
  const base = z.object({ path: z.string() }).parse(JSON.parse(terminal.out)).path;
  expect(base).toMatch(/\/octroi\/base-.*IST-[0-9a-f]{8}\.tar\.gz\.age$/);
  // Nobody has counted rows.
  expect(JSON.parse(terminal.out)).toMatchObject({ files: expect.any(Number) });
  expect(Object.keys(JSON.parse(terminal.out))).not.toEqual(expect.arrayContaining(['rows']));
  await addCustomer('CUS-1');
  // --at is read to the millisecond, so nothing may happen within that of the moment.
  await sleep(50);
  const moment = await ask(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as value`,
  );
  await sleep(50);
  await addCustomer('CUS-2');
  const { cluster } = await readOwner(server.databaseUrl);
  const last = await ask('select pg_walfile_name(pg_switch_wal()) as value');
  await vi.waitUntil(() => existsSync(join(archive, cluster, `${last}.gz`)), { timeout: 60_000, interval: 100 });
  const stopped = new AbortController();
  const shipping = keepBackingUp(planBackup({}), createLog('test', { level: 'silent' }), stopped.signal);
  await vi.waitUntil(() => store.objects.has(`octroi/wal/${cluster}/${last}.gz.age`), {
    timeout: 60_000,
    interval: 100,
  });
  stopped.abort();
  await shipping;
  const names = [...store.objects.keys()];
  expect(names.filter((name) => name.startsWith('octroi/wal/') && !name.endsWith('.gz.age'))).toEqual([]);
  expect(store.objects.get(`octroi/wal/${cluster}/${last}.gz.age`)?.body.toString('latin1')).toContain(
    'age-encryption.org',
  );
  await client.end();
  await server.stop();

  const restore = (place: string, ...words: string[]) => {
    vi.stubEnv('DATA_DIR', place);
    return run(['restore', base, '--identity', keyFile, ...words]);
  };
  const wal = `${store.url}/octroi/wal`;
  // A drill proves a base backup as well, and leaves nothing in the store.
  const stored = [...store.objects.keys()];
  vi.stubEnv('DATA_DIR', join(folder, 'drill'));
  const drill = ['backup', 'drill', base, '--identity', keyFile, '--wal', wal];
  expect(await run(drill)).toBe(exitCodes.done);
  terminal.out = '';
  expect(await run([...drill, '--at', moment, '--timeline', '1'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('The drill’s copy is removed.');
  expect([...store.objects.keys()]).toEqual(stored);
  expect(await restore(join(folder, 'moment'), '--wal', wal, '--at', moment)).toBe(exitCodes.done);
  expect(terminal.out).toContain('Make a new base backup at once after the start');
  // No other restore takes the number of the new timeline.
  expect([...store.objects.keys()].filter((name) => !stored.includes(name)).toSorted()).toEqual([
    // Nor the series that it begins.
    expect.stringMatching(/^octroi\/series-[0-9a-f]{8}-\d{4}-\d\d-1\.1\.1\.1-[0-9a-f]{8}\.txt$/),
    `octroi/wal/${cluster}/00000002.history.gz.age`,
  ]);
  expect(terminal.out).toContain('The ledger is correct.');
  expect(terminal.out).toMatch(
    /The database as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d IST: \d{3,} files, 0 entries in the ledger/,
  );
  expect(readdirSync(join(folder, 'moment')).join()).not.toContain('fetched');
  expect(await customersIn(join(folder, 'moment'))).toEqual(['CUS-0', 'CUS-1']);
  expect(await restore(join(folder, 'end'), '--wal', archive)).toBe(exitCodes.done);
  expect(await customersIn(join(folder, 'end'))).toEqual(['CUS-0', 'CUS-1', 'CUS-2']);
  // The copy of that moment was only tried: its history leads no other restore away.
  expect(await restore(join(folder, 'end-of-store'), '--wal', wal)).toBe(exitCodes.done);
  expect(await customersIn(join(folder, 'end-of-store'))).toEqual(['CUS-0', 'CUS-1', 'CUS-2']);

  expect(await restore(join(folder, 'never'), '--wal', wal, '--timeline', 'last')).toBe(exitCodes.usage);
  expect(await restore(join(folder, 'never'), '--wal', wal, '--at', '2026-11-23')).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('--at must be a moment with its time zone');
  expect(await restore(join(folder, 'never'), '--at', moment)).toBe(exitCodes.usage);
  expect(await restore(join(folder, 'never'))).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is a base backup: restore it with --wal');
  vi.stubEnv('DATABASE_URL', 'postgres://octroi@127.0.0.1:1/octroi');
  expect(await restore(join(folder, 'never'), '--wal', wal)).toBe(exitCodes.usage);
  expect(await run(['backup', 'base', '--unencrypted'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('a base backup is of the embedded one');
});

test('after the machine is lost, the log of the restored installation reaches the same store, and its base backup restores', async () => {
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('DATA_DIR', dataDir);
  server = await startEmbedded({ dataDir, logFile: join(folder, 'postgres.log') });
  terminal.out = '';
  expect(await run(['backup', '--json'])).toBe(exitCodes.done);
  const nightly = z.object({ path: z.string() }).parse(JSON.parse(terminal.out)).path;
  await server.stop();
  const before = new Map(store.objects);

  // A new machine, with the same settings.
  const newData = join(folder, 'new-data');
  const newArchive = join(folder, 'new-wal');
  vi.stubEnv('DATA_DIR', newData);
  vi.stubEnv('WAL_ARCHIVE_DIR', newArchive);
  expect(await run(['restore', nightly, '--identity', keyFile])).toBe(exitCodes.done);
  expect(terminal.out).toContain('make a base backup after the start');
  setWalArchive(newData, newArchive);
  server = await startEmbedded({ dataDir: newData, logFile: join(folder, 'postgres.log') });
  client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  const { cluster } = await readOwner(server.databaseUrl);
  terminal.out = '';
  expect(await run(['backup', 'base', '--json'])).toBe(exitCodes.done);
  const base = z.object({ path: z.string() }).parse(JSON.parse(terminal.out)).path;
  await addCustomer('CUS-NEW');
  const last = await ask('select pg_walfile_name(pg_switch_wal()) as value');
  await vi.waitUntil(() => existsSync(join(newArchive, cluster, `${last}.gz`)), { timeout: 60_000, interval: 100 });
  // Names that the lost cluster has used as well.
  expect([...before.keys()].some((name) => name.endsWith(`/${last}.gz.age`))).toBe(true);
  const stopped = new AbortController();
  const shipping = keepBackingUp(planBackup({}), createLog('test', { level: 'silent' }), stopped.signal);
  const sent = `octroi/wal/${cluster}/${last}.gz.age`;
  await vi.waitUntil(() => store.objects.has(sent), { timeout: 60_000, interval: 100 });
  stopped.abort();
  await shipping;
  expect([...before].every(([name, object]) => store.objects.get(name) === object)).toBe(true);

  await client.end();
  await server.stop();

  vi.stubEnv('DATA_DIR', join(folder, 'once-more'));
  const words = ['--identity', keyFile, '--wal', `${store.url}/octroi/wal`];
  expect(await run(['restore', base, ...words])).toBe(exitCodes.done);
  expect(await customersIn(join(folder, 'once-more'))).toContain('CUS-NEW');
});
