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
import { openBackupPlace } from './backup-place.ts';
import { createBaseBackup } from './base-backup.ts';
import { restoreBase } from './restore-base.ts';
import { nothingOutside } from './series-outside.ts';
import { customersSql } from '#shared/database/test-customers.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-pitr-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
const walArchiveDir = join(folder, "the archive's");
const base = join(folder, 'base.tar.gz');
const target = {
  documents: readDocumentPlaceSettings({ env: {} }),
  outside: nothingOutside,
  now: Date.now,
  log: createLog('test', { level: 'silent' }),
  say: () => undefined,
  recipients: [],
};
const walArchive = (cluster: string) => join(walArchiveDir, cluster);
let server: EmbeddedServer;
let client: Client;
/** The database's clock after each customer. */
const moments: Date[] = [];
const startOn = (place: string): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir: place, logFile: join(folder, 'postgres.log') });

async function addCustomer(number: number): Promise<void> {
  await client.query(customersSql(`values ($1, $1 || '@example.in', 'Asha', 'Asha', 'Rao', '', now())`), [
    `CUS-${number}`,
  ]);
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
  await client.query(`insert into sessions (token_hash, member_id, created_at, last_used_at, expires_at)
    values (sha256('1'), 'MEM-0', now(), now(), now() + interval '1 hour')`);
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
      // One that leaves nothing in the archive, such as a drill.
      const restored = await restoreBase(
        base,
        [],
        { walArchive, until },
        { ...target, dataDir: place, recipients: undefined },
      );
      expect(restored.faults).toEqual([]);
      expect(await customersIn(place)).toEqual(ids.map((id) => ({ id, sessions: 0 })));
    } finally {
      await removeEmbedded(place);
    }
  },
  120_000,
);

test('refuses a folder in use, a moment before the backup, and an archive that is not there', async () => {
  const at = { walArchive, until: undefined };
  await expect(restoreBase(base, [], at, { ...target, dataDir })).rejects.toThrow('is not empty');
  const place = join(folder, 'never');
  const tooEarly = restoreBase(base, [], { walArchive, until: new Date(0) }, { ...target, dataDir: place });
  await expect(tooEarly).rejects.toThrow('Use an older one');
  const gone = { ...at, walArchive: () => join(folder, 'gone') };
  await expect(restoreBase(base, [], gone, { ...target, dataDir: place })).rejects.toThrow('There is no archive');
  expect(readdirSync(folder)).not.toContain('never');
});

test('what follows a restore to a moment comes back in the next one, and what it undid does not', async () => {
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, `timeline-${name}`));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three places');
  try {
    // The second and third customer are the mistake.
    await restoreBase(base, [], { walArchive, until: moments[1] }, { ...target, dataDir: first });
    setWalArchive(first, walArchiveDir);
    server = await startOn(first);
    client = openClient({ connectionString: server.databaseUrl });
    await client.connect();
    await addCustomer(4);
    const last = await lastWal();
    expect(last).toMatch(/^00000002/);
    await vi.waitUntil(async () => (await archivedUpTo()) >= last, { timeout: 60_000, interval: 100 });
    await client.end();
    await server.stop();
    // The same base, to the end of its log.
    const to = { walArchive, until: undefined };
    const restored = await restoreBase(base, [], to, { ...target, dataDir: second });
    expect(Date.parse(restored.manifest.takenAt)).toBeGreaterThan(moments[3]?.getTime() ?? Infinity);
    expect(await idsIn(second)).toEqual(['CUS-0', 'CUS-1', 'CUS-4']);
    // On request, what had been undone.
    await restoreBase(base, [], { ...to, timeline: 1 }, { ...target, dataDir: third });
    expect(await idsIn(third)).toEqual(['CUS-0', 'CUS-1', 'CUS-2', 'CUS-3']);
    // No two of them write under one number.
    const histories = readdirSync(join(walArchiveDir, readdirSync(walArchiveDir).join()));
    expect(histories.filter((name) => name.includes('history')).toSorted()).toEqual(
      [2, 3, 4].map((timeline) => `0000000${timeline}.history.gz`),
    );
  } finally {
    for (const place of [first, second, third]) await removeEmbedded(place);
  }
}, 180_000);

function dieBeforeReplay(line: string): void {
  if (line.startsWith('Replaying')) throw new Error('killed');
}

test('nothing starts on a restore that ended before its database was marked: PostgreSQL would replay the log by itself', async () => {
  const place = join(folder, 'killed');
  const killed = restoreBase(
    base,
    [],
    { walArchive, until: undefined },
    { ...target, say: dieBeforeReplay, dataDir: place },
  );
  try {
    await expect(killed).rejects.toThrow('killed');
    await expect(startOn(place)).rejects.toThrow('did not finish. Restore again, into a new data folder.');
  } finally {
    await removeEmbedded(place);
  }
});

test('while the installation goes on along its timeline, a restore that was only tried leads no other one away', async () => {
  const place = (name: string): string => join(folder, `tried-${name}`);
  const [tried, end, moment, afterwards] = [place('copy'), place('end'), place('moment'), place('afterwards')];
  const later = join(folder, 'later.tar.gz');
  try {
    await restoreBase(base, [], { walArchive, until: moments[1] }, { ...target, dataDir: tried });
    setWalArchive(tried, walArchiveDir);
    let until: Date | undefined;
    // The copy is started once, and archives; then the installation goes on.
    for (const running of [tried, dataDir]) {
      server = await startOn(running);
      client = openClient({ connectionString: server.databaseUrl });
      await client.connect();
      await addCustomer(5);
      until = moments.at(-1);
      if (running === dataDir)
        await createBaseBackup({ databaseUrl: server.databaseUrl, dataDir, settings: [], version: 'test' }, later, []);
      await addCustomer(6);
      const last = await lastWal();
      await vi.waitUntil(async () => (await archivedUpTo()) >= last, { timeout: 60_000, interval: 100 });
      await client.end();
      await server.stop();
    }
    const onTheFirst = ['CUS-0', 'CUS-1', 'CUS-2', 'CUS-3', 'CUS-5'];
    await restoreBase(base, [], { walArchive, until: undefined }, { ...target, dataDir: end });
    expect(await idsIn(end)).toEqual([...onTheFirst, 'CUS-6']);
    await restoreBase(base, [], { walArchive, until }, { ...target, dataDir: moment });
    expect(await idsIn(moment)).toEqual(onTheFirst);
    // A base backup that is younger than the copy does not belong to its timeline.
    await restoreBase(later, [], { walArchive, until: undefined }, { ...target, dataDir: afterwards });
    expect(await idsIn(afterwards)).toEqual([...onTheFirst, 'CUS-6']);
  } finally {
    for (const each of [tried, end, moment, afterwards]) await removeEmbedded(each);
  }
}, 180_000);
const idsIn = async (place: string): Promise<unknown[]> =>
  z
    .array(z.object({ id: z.string() }))
    .parse(await customersIn(place))
    .map(({ id }) => id);

test('the restore says when a history cannot be archived, and finishes the installation all the same', async () => {
  const place = join(folder, 'unsent');
  const log = join(walArchiveDir, readdirSync(walArchiveDir).join());
  const next = 2 + readdirSync(log).filter((name) => name.includes('.history')).length;
  const unfinished = join(log, `0000000${next}.history.gz.part`);
  // Nothing can be written under this name.
  mkdirSync(unfinished);
  const told: string[] = [];
  const say = (line: string) => void told.push(line);
  try {
    for (const [index, from] of [openBackupPlace(log, {}), log].entries()) {
      const dataDir = `${place}-${index}`;
      const to = { walArchive: () => from, until: undefined, timeline: 1 };
      const { faults, closedSeries } = await restoreBase(base, [], to, { ...target, say, dataDir });
      expect(faults).toEqual([]);
      expect(closedSeries).not.toEqual([]);
      expect(told.join()).toContain(['could not be sent', 'could not be archived'][index]);
    }
  } finally {
    rmSync(unfinished, { recursive: true });
    for (const index of [0, 1]) await removeEmbedded(`${place}-${index}`);
  }
}, 120_000);

test('an archive gets the histories that were made before it, and each cluster a folder of its own', async () => {
  const [restored, fresh] = [join(folder, 'late'), join(folder, 'fresh')];
  const late = join(folder, 'late-archive');
  try {
    await restoreBase(
      base,
      [],
      { walArchive, until: undefined },
      { ...target, dataDir: restored, recipients: undefined },
    );
    mkdirSync(fresh);
    const lasts: string[] = [];
    for (const place of [restored, fresh]) {
      setWalArchive(place, late);
      server = await startOn(place);
      client = openClient({ connectionString: server.databaseUrl });
      await client.connect();
      const last = await lastWal();
      lasts.push(last);
      await vi.waitUntil(async () => (await archivedUpTo()) >= last, { timeout: 60_000, interval: 100 });
      await client.end();
      await server.stop();
    }
    const found = readdirSync(late).map((cluster) => readdirSync(join(late, cluster)));
    expect(found).toHaveLength(2);
    const [ofRestored, ofFresh] = lasts.map((last) => found.find((names) => names.includes(`${last}.gz`)));
    expect(ofRestored).toContain(`${lasts[0]?.slice(0, 8)}.history.gz`);
    expect(ofFresh?.filter((name) => name.includes('history'))).toEqual([]);
  } finally {
    for (const place of [restored, fresh]) await removeEmbedded(place);
  }
}, 120_000);
