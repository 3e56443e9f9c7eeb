import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf } from '#backup/backup-name.ts';
import { datedUntil, listBackups, openBackupPlace } from '#backup/backup-place.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { istTime } from '#shared/domain/day.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { type BackupSettings, readBackupSettings } from '#backup/config.ts';
import { createBackup } from '#backup/create-backup.ts';
import type { Manifest } from '#backup/manifest.ts';
import { readOwner } from '#backup/owner.ts';
import { noteSeries } from '#backup/series-outside.ts';
import type { BackupPlace } from '#backup/stored-backup.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { allSettings } from '#ship/launch/settings.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { aboutSetting, envName } from '#shared/platform/read-config.ts';
import { createLog } from '#shared/platform/log.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { withExistingUrl } from '#server/operator-database.ts';

export interface BackupOptions {
  to?: string;
  keep?: string;
  nightly?: true;
  unencrypted?: true;
  json?: true;
}

/** What a backup needs to know, from the options and the settings. */
export interface BackupPlan {
  settings: BackupSettings;
  place: BackupPlace;
  /** The folder in which it is made: that of the backups, or the data folder for a store elsewhere. */
  folder: string;
  keep: number | undefined;
  recipients: readonly string[];
}

/** Throws CommandFailed when something is missing. */
export function planBackup(options: BackupOptions): BackupPlan {
  loadEnvFile();
  const settings = readBackupSettings({ env: process.env });
  const to = options.to ?? settings.backupDir;
  if (to === undefined)
    throw new CommandFailed('Name the folder or the address: --to, or BACKUP_DIR.', exitCodes.usage);
  const keep = options.keep === undefined ? undefined : Number(options.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw new CommandFailed('--keep must be a whole number from 1.', exitCodes.usage);
  const recipients = settings.backupRecipient;
  if (recipients.length === 0 && options.unencrypted !== true)
    throw new CommandFailed(
      'Set BACKUP_RECIPIENT to the public key of age (octroi backup key makes one), or add --unencrypted.',
      exitCodes.usage,
    );
  return {
    settings,
    place: openBackupPlace(to, settings),
    folder: isAddress(to) ? settings.dataDir : to,
    keep: options.nightly === true ? nightlyKeep(settings) : keep,
    recipients,
  };
}

/** How many backups a nightly one leaves; undefined for all. */
export function nightlyKeep({ backupKeep }: BackupSettings): number | undefined {
  return backupKeep === 0 ? undefined : backupKeep;
}

export async function runBackup(options: BackupOptions): Promise<void> {
  const plan = planBackup(options);
  const { path, bytes, deleted, manifest } = await makeBackup(plan);
  printResult(options.json, { path, bytes, deleted, ...summary(manifest) }, [
    `${path}, ${(bytes / 1024 / 1024).toFixed(1)} MB${plan.recipients.length === 0 ? ', not encrypted' : ''}`,
    ...describe(manifest),
    ...deleted.map((name) => `Deleted: ${name}`),
  ]);
  const unreadable = manifest.documents?.unreadable.length ?? 0;
  if (unreadable > 0)
    throw new CommandFailed(
      `${unreadable} PDFs are not in the backup. No older backup was deleted, because it may have them.`,
      exitCodes.faults,
    );
}

/** Makes a folder for the unfinished backup. A wrong place is noticed before the long work, not after it. */
export async function openWork({ place, folder }: BackupPlan): Promise<string> {
  await place.check();
  makeWritableFolder(folder, 0o700);
  return mkdtempSync(join(folder, '.backup-'));
}

/** Makes a backup, puts it into its place, and deletes old ones there, unless the new one lacks PDFs. */
export async function makeBackup(plan: BackupPlan) {
  const { settings, place, keep, recipients } = plan;
  const work = await openWork(plan);
  return withCleanUp(
    async () => {
      const begun = new Date();
      const { installation, name, made, manifest } = await withExistingUrl(settings, async (databaseUrl) => {
        const { installation, origin, begun: series } = await readOwner(databaseUrl);
        // A restore of any backup there begins after them.
        await noteSeries(place, origin, series);
        const name = fileNameOf('octroi', begun, recipients.length > 0, installation);
        const made = join(work, name);
        const source = {
          databaseUrl,
          journalDirs: settings.backupJournals,
          folders: foldersOf(settings),
          documentFiles: openDocumentFiles(settings, createLog('backup')),
          settings: settingsInUse(),
          version: octroiVersion(),
        };
        return { installation, name, made, manifest: await createBackup(source, made, recipients) };
      });
      const { size: bytes } = await stat(made);
      await place.put(name, made);
      // An older backup may be the last one that has what this one lacks.
      const isWhole = (manifest.documents?.unreadable ?? []).length === 0;
      const deleted = keep === undefined || !isWhole ? [] : await deleteOld(place, installation, keep);
      return { path: place.describe(name), bytes, deleted, manifest };
    },
    () => rmSync(work, { recursive: true, force: true }),
  );
}

/** What belongs to an installation beside database and journals, by its name in the backup. */
function foldersOf({ catalogDir, brandDir, dataDir }: BackupSettings): Map<string, string> {
  return new Map([
    ['catalog', catalogDir],
    ...(brandDir === undefined ? [] : [['brand', brandDir] as const]),
    // The official list of codes.
    ['tax-lookup', join(dataDir, 'tax-lookup')],
  ]);
}

/** What a person wants to know of a backup. A base backup has the files of a database, in which nobody has counted rows, and no journals. */
export function summary({ takenAt, cluster, files, tables, journals, ledger, documents }: Manifest) {
  const missing = journals.known.filter((id) => !journals.included.includes(id));
  const { included = 0, unreadable = [], elsewhere = {} } = documents ?? {};
  const about = { takenAt, missing, ledger, pdfs: { included, unreadable, elsewhere } };
  if (cluster !== undefined) return { ...about, files: Object.keys(files).length };
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return { ...about, tables: Object.keys(tables).length, rows, journals: journals.included };
}

export function describe(manifest: Manifest): string[] {
  const found = summary(manifest);
  const { missing, ledger, pdfs } = found;
  const takenAt = istTime(new Date(found.takenAt));
  const contents = 'rows' in found ? `${found.rows} rows in ${found.tables} tables` : `${found.files} files`;
  return [
    `The database as of ${takenAt}: ${contents}, ${ledger.position} entries in the ledger`,
    ...('rows' in found ? [`Journals of gateways: ${found.journals.length}`] : []),
    ...(pdfs.included > 0 ? [`PDFs of documents, beside those in the database: ${pdfs.included}`] : []),
    ...Object.entries(pdfs.elsewhere).map(
      ([place, count]) =>
        `Without ${count} PDFs in ${place}: keep a copy of them apart, such as a second bucket to which the store copies.`,
    ),
    ...(pdfs.unreadable.length > 0
      ? [`✗ Without the PDFs of ${pdfs.unreadable.join(', ')}, which could not be read: octroi verify-ledger`]
      : []),
    ...missing.map((id) =>
      'rows' in found
        ? `Without the journal ${id}. Add its folder to BACKUP_JOURNALS, or copy it on its own machine.`
        : `Without the journal ${id}: copy it on its own machine, or make a backup beside this one.`,
    ),
  ];
}

export function settingsInUse(): Manifest['settings'] {
  return [...allSettings()].flatMap(([name, field]) => {
    const value = process.env[envName(name)];
    if (value === undefined || value === '') return [];
    return { name: envName(name), value: aboutSetting(field).secret ? null : value };
  });
}

/** Deletes all but the newest backups of this installation; those dated later than now stay. */
async function deleteOld(place: BackupPlace, installation: string, keep: number): Promise<string[]> {
  const { own } = await listBackups(place, installation);
  const old = datedUntil(own, Date.now()).slice(0, -keep);
  for (const { name } of old) await place.remove(name);
  return old.map(({ name }) => name);
}
