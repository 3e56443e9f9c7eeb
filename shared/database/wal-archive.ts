import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#shared/platform/make-folder.ts';
import type { ServerUser } from './embedded-user.ts';

/**
 * The archive of the embedded database's write-ahead log: each finished segment is kept, compressed, so that a base backup can be brought
 * to any later point in time. Each cluster has a folder of its own in it, because the log of another one has the same names. It is noted in the data folder, because a command may start the database too, and a gap would end the archive.
 */
const noteName = 'postgres-archive';

/** Turns archiving on (a folder) or off. It takes effect when PostgreSQL starts. */
export function setWalArchive(dataDir: string, folder: string | undefined): void {
  const note = join(dataDir, noteName);
  if (folder === undefined) rmSync(note, { force: true });
  else writeFileSync(note, `${folder}\n`);
}

/** The folder of the archive, if there is one. */
export function walArchiveOf(dataDir: string): string | undefined {
  const note = join(dataDir, noteName);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined;
}

/** PostgreSQL's own number of a cluster, which pg_control begins with. A copy of its files has it too, and a new cluster has another. */
export function clusterIdOf(cluster: string): string {
  return String(readFileSync(join(cluster, 'global', 'pg_control')).readBigUInt64LE(0));
}

/** A segment is kept after a minute at the latest, so at most a minute's work is lost with the disk. */
const timeoutSeconds = 60;

/** Settings of PostgreSQL that archive into a folder. */
export function archiveSettings(
  folder: string,
): Record<'archive_mode' | 'archive_timeout' | 'archive_command', string> {
  const file = `${quoted(folder)}/%f.gz`;
  // After a crash PostgreSQL archives the last segment again: the same one is fine, another one never replaces it.
  const again = `gzip -dc ${file} | cmp -s - "%p"`;
  const write = `gzip -c "%p" > ${file}.part && sync ${file}.part && mv ${file}.part ${file}`;
  return {
    archive_mode: 'on',
    archive_timeout: String(timeoutSeconds),
    archive_command: `mkdir -p ${quoted(folder)} && if test -f ${file}; then ${again}; else ${write}; fi`,
  };
}

/**
 * Archives the history of a cluster's timelines, which PostgreSQL does only for one that begins while the log is archived: without it, a
 * restore goes on along the timeline before, and misses everything since. What fails is told, and tried again at the next start.
 */
export function archiveHistories(
  cluster: string,
  folder: string,
  user: ServerUser,
  tell: (line: string) => void,
): void {
  for (const name of readdirSync(join(cluster, 'pg_wal')).filter((each) => each.endsWith('.history'))) {
    const command = archiveSettings(folder).archive_command.replaceAll(/%[pf%]/g, (found) =>
      found === '%p' ? `pg_wal/${name}` : found === '%f' ? name : '%',
    );
    const { status } = spawnSync('/bin/sh', ['-c', `umask 077; ${command}`], {
      ...user.ids,
      cwd: cluster,
      stdio: 'ignore',
    });
    if (status !== 0)
      tell(
        `${name} could not be archived in ${folder}, so a restore can't follow this timeline. Make room there, and let the user of PostgreSQL write; another ${name} there is of a second copy of this database, so set WAL_ARCHIVE_DIR to a new folder and make a base backup.`,
      );
  }
}

/** How PostgreSQL gets a segment back. */
export const restoreCommand = (folder: string): string => `gzip -dc ${quoted(folder)}/%f.gz > "%p"`;

/** For the shell, and for PostgreSQL, which reads % as its own. */
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;

/** Makes the folder for the user that runs PostgreSQL. */
export function makeArchiveFolder(folder: string, user: ServerUser): void {
  const isNew = !existsSync(folder);
  makeFolder(folder);
  if (!isNew) return;
  chmodSync(folder, 0o700);
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(folder, user.ids.uid, user.ids.gid);
}
