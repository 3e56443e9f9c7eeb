import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { listBackups, openBackupPlace } from '#backup/backup-place.ts';
import { type Owner, readOwner } from '#backup/owner.ts';
import { walPlaceOf } from '#backup/ship-wal.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';

/** A segment is sent within half a minute; a store that is away for some minutes is no fault. */
const sentWithinMs = 10 * 60_000;

const archiver = z.object({ mode: z.string(), wal: z.string().nullable(), failing: z.boolean() });

export const walArchive: Check = {
  name: 'wal-archive',
  about: 'is the log of PostgreSQL archived without failures, sent to the store, and is there a base backup for it?',
  examine: async (installation) => {
    const { db, given, databaseUrl, backup } = installation;
    const { walArchiveDir, backupDir } = backup;
    // The launcher hands it to the embedded PostgreSQL only.
    if (walArchiveDir !== undefined && given['DATABASE_URL'])
      return [
        fault(
          `WAL_ARCHIVE_DIR is ${walArchiveDir}, and DATABASE_URL leads to a PostgreSQL of your own, which knows nothing of it.`,
          'Octroi archives no log: only the nightly backup can be restored.',
          'Delete WAL_ARCHIVE_DIR, and set archive_mode and archive_command of your PostgreSQL, or use the restore to a moment of your provider.',
        ),
      ];
    if (db === undefined || databaseUrl === undefined) return [unchecked('The database cannot be read.')];
    const query = sql`select current_setting('archive_mode') as mode, last_failed_wal as wal,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing from pg_stat_archiver`;
    const [found] = checkedRows(archiver, await query.execute(db));
    if (found === undefined || found.mode === 'off')
      return [unchecked('It is not archived: only the nightly backup can be restored.')];
    if (found.failing)
      return [
        fault(
          `The segment ${found.wal ?? ''} of the log could not be archived.`,
          'Nothing since then can be restored to a moment, and the log fills the disk until it can be archived.',
          'Make room in WAL_ARCHIVE_DIR, and let the user that runs PostgreSQL write there. If another segment of this name is there, a second copy of this database has archived it: stop that one, set WAL_ARCHIVE_DIR to a new folder, and make a base backup. postgres.log has the reason.',
        ),
      ];
    if (walArchiveDir === undefined || backupDir === undefined) return [fine('It is archived.')];
    try {
      const owner = await readOwner(databaseUrl);
      const findings = [
        ...(await examineBases(backupDir, backup, owner)),
        ...(isAddress(backupDir) ? await examineSent(walArchiveDir, backupDir, installation, owner) : []),
      ];
      return findings.length > 0 ? findings : [fine('It is archived, and there is a base backup.')];
    } catch (error) {
      // What is wrong with the place, the check of backups says.
      return [unchecked(`${backupDir} cannot be read: ${reasonOf(error)}.`)];
    }
  },
};

async function examineBases(place: string, settings: Installation['backup'], owner: Owner): Promise<Finding[]> {
  const { own } = await listBackups(openBackupPlace(place, settings), owner.installation, 'base');
  if (own.length > 0) return [];
  return [
    warning(
      `${place} has no base backup of this installation. One from before a restore or an upgrade of PostgreSQL is not of it.`,
      'The archived log restores nothing by itself.',
      'Make one now, and one every week: octroi backup base',
    ),
  ];
}

/** The newest archived file that must have arrived; they go in their order. */
async function examineSent(
  archive: string,
  store: string,
  { backup, now }: Installation,
  { cluster }: Owner,
): Promise<Finding[]> {
  const folder = join(archive, cluster);
  const due = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    .map((name) => ({ name, ageMs: now() - statSync(join(folder, name)).mtimeMs }))
    .filter(({ ageMs }) => ageMs > sentWithinMs)
    .toSorted((a, b) => a.ageMs - b.ageMs)[0];
  if (due === undefined) return [];
  const place = openBackupPlace(walPlaceOf(store, cluster), backup);
  const sizes = await Promise.all([due.name, `${due.name}.age`].map(place.sizeOf));
  if (sizes.some((size) => size !== undefined)) return [];
  return [
    fault(
      `${due.name} was archived ${Math.floor(due.ageMs / 60_000)} minutes ago and is not in ${place.describe('')}.`,
      'If this machine is lost, so is everything since.',
      'Let octroi backup schedule run, which sends the log (npm start runs it; a timer that makes backups does not), and look at its log.',
    ),
  ];
}
