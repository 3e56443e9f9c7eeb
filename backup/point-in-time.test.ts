import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { createLog } from '#shared/platform/log.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { createBaseBackup } from './base-backup.ts';
import { restoreBase } from './restore-base.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-pitr-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
const walArchiveDir = join(folder, "the archive's");
const base = join(folder, 'base.tar.gz');
const target = {
  documents: readDocumentPlaceSettings({ env: {} }),
  now: Date.now,
  log: createLog('test', { level: 'silent' }),
  say: () => undefined,
};
let server: EmbeddedServer;
let client: Client;
/** The database's clock after each customer. */
const moments: Date[] = [];

const startOn = (place: string): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir: place, logFile: join(folder, 'postgres.log') });

async function addCustomer(number: number): Promise<void> {
  await client.query(
    `insert into customers (id, google_sub, email, name, given_name, family_name, picture, created_at)
     values ($1, $1, $1 || '@example.in', 'Asha', 'Asha', 'Rao', '', now())`,
    [`CUS-${number}`],
  );
  // A moment is read to the millisecond, so nothing may happen within its own.
  await sleep(50);
  const [{ now } = { now: new Date() }] = checkedRows(
    z.object({ now: z.date() }),
    await client.query('select clock_timestamp() as now'),
  );
  moments.push(now);
  await sleep(50);
}

beforeAll(async () => {
  mkdirSync(dataDir);
  setWalArchive(dataDir, walArchiveDir);
  server = await startOn(dataDir);
  await migrate(server.databaseUrl);
  client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  await addCustomer(0);
  await createBaseBackup({ databaseUrl: server.databaseUrl, dataDir, settings: [], version: 'test' }, base, []);
  for (const number of [1, 2, 3]) await addCustomer(number);
  await client.query(`insert into sessions (token_hash, customer_id, created_at, last_used_at, expires_at)
    values (sha256('1'), 'CUS-0', now(), now(), now() + interval '1 hour')`);
  const last = await lastWal();
  await vi.waitUntil(async () => (await archivedUpTo()) >= last, { timeout: 60_000, interval: 100 });
  // The disk is lost: nothing of the data folder is used any more.
  await client.end();
  await server.stop();
});

/** Ends the segment of the log that is being written, and returns its name. */
async function lastWal(): Promise<string> {
  const found = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
  return checkedRows(z.object({ name: z.string() }), found)[0]?.name ?? '';
}

async function archivedUpTo(): Promise<string> {
  const found = await client.query(`select coalesce(last_archived_wal, '') as name from pg_stat_archiver`);
  return checkedRows(z.object({ name: z.string() }), found)[0]?.name ?? '';
}

afterAll(async () => {
  await removeEmbedded(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

/** The customers of a restored data folder. */
async function customersIn(place: string): Promise<unknown[]> {
  const restored = await startOn(place);
  const other = openClient({ connectionString: restored.databaseUrl });
  await other.connect();
  try {
    const { rows } = await other.query(
      'select id, (select count(*)::int from sessions) as sessions from customers order by id',
    );
    const [recovering] = (
      await other.query('select pg_is_in_recovery() as is, current_setting($1) as command', ['restore_command'])
    ).rows;
    expect(recovering).toEqual({ is: false, command: '' });
    return rows;
  } finally {
    await other.end();
    await restored.stop();
  }
}

test.each([
  ['the moment after the second customer', 2, ['CUS-0', 'CUS-1', 'CUS-2']],
  ['the moment after the first one', 1, ['CUS-0', 'CUS-1']],
  ['the end of the archive', undefined, ['CUS-0', 'CUS-1', 'CUS-2', 'CUS-3']],
])(
  'a base backup and the archived log come back as of %s',
  async (_what, index, ids) => {
    const place = join(folder, `restored-${index ?? 'end'}`);
    const until = index === undefined ? undefined : moments[index];
    try {
      const restored = await restoreBase(base, [], { walArchive: walArchiveDir, until }, { ...target, dataDir: place });
      expect(restored.faults).toEqual([]);
      expect(await customersIn(place)).toEqual(ids.map((id) => ({ id, sessions: 0 })));
    } finally {
      await removeEmbedded(place);
    }
  },
  120_000,
);

test('refuses a folder in use, a moment before the backup, and an archive that is not there', async () => {
  const at = { walArchive: walArchiveDir, until: undefined };
  await expect(restoreBase(base, [], at, { ...target, dataDir })).rejects.toThrow('is not empty');
  const place = join(folder, 'never');
  const tooEarly = restoreBase(
    base,
    [],
    { walArchive: walArchiveDir, until: new Date(0) },
    { ...target, dataDir: place },
  );
  await expect(tooEarly).rejects.toThrow('Use an older one');
  const gone = { ...at, walArchive: join(folder, 'gone') };
  await expect(restoreBase(base, [], gone, { ...target, dataDir: place })).rejects.toThrow('There is no archive');
  expect(readdirSync(folder)).not.toContain('never');
});
