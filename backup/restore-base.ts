import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { findClusterPlace } from '#shared/database/embedded-place.ts';
import { startEmbedded, unfinishedRestore } from '#shared/database/embedded.ts';
import { applyMigrations, readMigrations } from '#shared/database/migrate.ts';
import { archiveHistories, restoreCommand } from '#shared/database/wal-archive.ts';
import { istTime } from '#shared/domain/day.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { checkFolder, makeFolder } from '#shared/platform/make-folder.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { checkArchive, readArchive } from './archive.ts';
import { readFacts } from './create-backup.ts';
import { BackupFault } from './manifest.ts';
import { fetchWal, sendHistories } from './ship-wal.ts';
import type { BackupPlace } from './stored-backup.ts';
import { lastTimeline } from './timeline.ts';
import { finishRestore, markRestored, type Restored, type RestoreTarget } from './restore-backup.ts';

export interface PointInTime {
  /** The folder of a cluster's archived log, which PostgreSQL must be able to read, or where to fetch it from. */
  walArchive: (cluster: string) => string | BackupPlace;
  /** Up to this moment; without it, up to the end of the archive. */
  until: Date | undefined;
  /** Along which timeline of PostgreSQL; by default, of those that go on from the base backup, the one that was archived last. */
  timeline?: number | undefined;
}

const hourMs = 3_600_000;

type BaseTarget = Pick<RestoreTarget, 'now' | 'log' | 'say' | 'documents' | 'outside'> & {
  dataDir: string;
  /** Public keys of age for the history of the new timeline, which is archived at once; undefined leaves nothing in the archive. */
  recipients: readonly string[] | undefined;
};

/**
 * Restores a base backup into a new data folder and replays the archived log up to a point in time. Then the same follows as after every
 * restore. Throws a BackupFault before anything is written if the backup or the target is not fit.
 */
export async function restoreBase(
  path: string,
  identities: readonly string[],
  { walArchive: walArchiveOf, until, timeline }: PointInTime,
  target: BaseTarget,
): Promise<Restored> {
  const { dataDir, say, recipients } = target;
  if (existsSync(dataDir) && readdirSync(dataDir).some((name) => name !== 'logs'))
    throw new BackupFault(`${dataDir} is not empty. Restore into a new data folder: nothing is ever overwritten.`);
  await checkArchive(path, identities);
  checkFolder(dataDir);
  say('Reading the whole backup, to see that it is undamaged …');
  const manifest = await readArchive(path, identities);
  if (manifest.cluster === undefined)
    throw new BackupFault(
      `${path} is no base backup. Only those of octroi backup base can be brought to a point in time.`,
    );
  const walArchive = walArchiveOf(manifest.cluster.id);
  if (typeof walArchive !== 'string') await walArchive.check();
  else if (!existsSync(walArchive)) throw new BackupFault(`There is no archive in ${walArchive}.`);
  if (until !== undefined && until.getTime() < Date.parse(manifest.takenAt))
    throw new BackupFault(
      `The base backup was made at ${istTime(new Date(manifest.takenAt))}, after that moment. Use an older one.`,
    );
  makeFolder(join(dataDir, 'logs'));
  // A start would replay the log by itself, and the database look sound: until it is marked from inside, the folder is.
  const marker = join(dataDir, unfinishedRestore);
  await writeFile(marker, '');
  const { folder, cluster, user } = findClusterPlace(dataDir, say);
  const own = (made: string): void => {
    if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(made, user.ids.uid, user.ids.gid);
  };
  say('Writing the files of the database …');
  for (const name of manifest.cluster.directories.toSorted()) {
    makeFolder(join(cluster, name), 0o700);
    own(join(cluster, name));
  }
  const begun = new Set<string>();
  await readArchive(path, identities, async ({ file, data }) => {
    const place = file.startsWith('cluster/') ? join(cluster, file.slice('cluster/'.length)) : join(dataDir, file);
    if (![cluster, dataDir].some((folder) => resolve(place).startsWith(resolve(folder) + sep)))
      throw new BackupFault(`The backup has a file outside its folder: ${file}`);
    makeFolder(dirname(place), 0o700);
    await writeFile(place, data, { flag: begun.has(file) ? 'a' : 'w', mode: 0o600 });
    if (!begun.has(file) && file.startsWith('cluster/')) own(place);
    begun.add(file);
  });
  const fetched = join(folder, 'fetched-log');
  if (typeof walArchive !== 'string') {
    say('Fetching the archived log …');
    // Clocks of store and database may differ.
    const since = new Date(Date.parse(manifest.takenAt) - hourMs);
    await fetchWal(walArchive, identities, fetched, user, since);
  }
  const archive = typeof walArchive === 'string' ? walArchive : fetched;
  const along = timeline ?? (await lastTimeline(archive, await readFile(join(cluster, 'backup_label'), 'utf8')));
  const settings = [
    `restore_command = ${literal(restoreCommand(archive))}`,
    `recovery_target_timeline = ${literal(String(along))}`,
    ...(until === undefined
      ? []
      : [`recovery_target_time = ${literal(until.toISOString().replace('T', ' ').replace('Z', '+00'))}`]),
    `recovery_target_action = 'promote'`,
  ];
  await appendFile(join(cluster, 'postgresql.auto.conf'), `\n${settings.join('\n')}\n`);
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  own(join(cluster, 'recovery.signal'));
  const end = until && istTime(until);
  say(`Replaying the log of timeline ${along} up to ${end ?? 'its end'} …`);
  const server = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log'), isRestoring: true });
  return withCleanUp(
    async () => {
      let restored = manifest;
      const client = openClient({ connectionString: server.databaseUrl, application_name: 'octroi restore' });
      await client.connect();
      try {
        await untilPromoted(client, along, join(dataDir, 'logs', 'postgres.log'));
        for (const name of settings) await client.query(`alter system reset ${name.split(' ', 1).join()}`);
        await applyMigrations(client, readMigrations());
        await markRestored(client, `was restored to ${end ?? 'the end of the archived log'}`);
        rmSync(marker);
        restored = {
          ...manifest,
          takenAt: (await readReached(client)) ?? manifest.takenAt,
          ledger: (await readFacts(client)).ledger,
        };
      } finally {
        await client.end();
      }
      const files = openDocumentFiles(target.documents, target.log);
      const finished = await finishRestore(server.databaseUrl, { ...target, files });
      if (recipients !== undefined) {
        // No other restore takes the number of this timeline, and the next one finds the way to it once its log is archived.
        archiveHistories(cluster, archive, user, say);
        if (typeof walArchive !== 'string')
          await sendHistories(archive, walArchive, recipients, folder).catch((error: unknown) =>
            say(
              `The history of the new timeline could not be sent (${reasonOf(error)}). It is archived and sent after the start with WAL_ARCHIVE_DIR; restore nothing else from this log before.`,
            ),
          );
      }
      return { manifest: restored, ...finished };
    },
    async () => {
      await server.stop();
      rmSync(fetched, { recursive: true, force: true });
    },
  );
}

/** While the log is replayed, the database can only be read. */
async function untilPromoted(client: Client, timeline: number, logFile: string): Promise<void> {
  for (;;) {
    const found = await client.query('select pg_is_in_recovery() as replaying').catch((error: unknown) => {
      throw new BackupFault(
        `PostgreSQL ended while it replayed the log of timeline ${timeline}; if that ends before the moment, choose an earlier one, or another --timeline. Its own log: ${logFile} (${String(error)})`,
      );
    });
    if (checkedRows(z.object({ replaying: z.boolean() }), found)[0]?.replaying !== true) return;
    await sleep(100);
  }
}

/** The moment of the last change that the log had; undefined if it had none. */
async function readReached(client: Client): Promise<string | undefined> {
  const found = await client.query('select pg_last_xact_replay_timestamp() as at');
  return checkedRows(z.object({ at: z.date().nullable() }), found)[0]?.at?.toISOString();
}

/** As PostgreSQL reads texts in its configuration. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
