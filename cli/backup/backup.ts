import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backupName } from '#backup/backup-name.ts';
import { readBackupSettings } from '#backup/config.ts';
import { createBackup } from '#backup/create-backup.ts';
import type { Manifest } from '#backup/manifest.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { allSettings } from '#launch/settings.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { aboutSetting, envName } from '#platform/read-config.ts';
import { octroiVersion } from '#platform/version.ts';
import { withExistingUrl } from '#server/operator-database.ts';

interface BackupOptions {
  to?: string;
  keep?: string;
  unencrypted?: true;
  json?: true;
}

export async function runBackup(options: BackupOptions): Promise<void> {
  loadEnvFile();
  const settings = readBackupSettings({ env: process.env });
  const folder = options.to ?? settings.backupDir;
  if (folder === undefined) throw new CommandFailed('Name the folder: --to, or BACKUP_DIR.', exitCodes.usage);
  const keep = options.keep === undefined ? undefined : Number(options.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw new CommandFailed('--keep must be a whole number from 1.', exitCodes.usage);
  const recipients = settings.backupRecipient;
  if (recipients.length === 0 && options.unencrypted !== true)
    throw new CommandFailed(
      'Set BACKUP_RECIPIENT to the public key of age (octroi backup key makes one), or add --unencrypted.',
      exitCodes.usage,
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replaceAll(/:|\.\d+/g, '');
  const path = resolve(folder, `octroi-${stamp}.tar.gz${recipients.length === 0 ? '' : '.age'}`);
  const manifest = await withExistingUrl(settings, (databaseUrl) =>
    createBackup(
      {
        databaseUrl,
        journalDirs: settings.backupJournals,
        folders: new Map([['catalog', settings.catalogDir]]),
        settings: settingsInUse(),
        version: octroiVersion(),
      },
      path,
      recipients,
    ),
  );
  const deleted = keep === undefined ? [] : await deleteOld(folder, keep);
  const { size } = await stat(path);
  printResult(options.json, { path, bytes: size, deleted, ...summary(manifest) }, [
    `${path}, ${(size / 1024 / 1024).toFixed(1)} MB${recipients.length === 0 ? ', not encrypted' : ''}`,
    ...describe(manifest),
    ...deleted.map((name) => `Deleted: ${name}`),
  ]);
}

/** What a person wants to know of a backup. */
export function summary({ takenAt, tables, journals, ledger }: Manifest) {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const missing = journals.known.filter((id) => !journals.included.includes(id));
  return { takenAt, tables: Object.keys(tables).length, rows, journals: journals.included, missing, ledger };
}

export function describe(manifest: Manifest): string[] {
  const { takenAt, tables, rows, journals, missing, ledger } = summary(manifest);
  return [
    `The database as of ${takenAt}: ${rows} rows in ${tables} tables, ${ledger.position} entries in the ledger`,
    `Journals of gateways: ${journals.length}`,
    ...missing.map(
      (id) => `Without the journal ${id}. Add its folder to BACKUP_JOURNALS, or copy it on its own machine.`,
    ),
  ];
}

function settingsInUse(): Manifest['settings'] {
  return [...allSettings()].flatMap(([name, field]) => {
    const value = process.env[envName(name)];
    if (value === undefined || value === '') return [];
    return { name: envName(name), value: aboutSetting(field).secret ? null : value };
  });
}

/** Deletes all but the newest backups of a folder; their names sort by time. */
async function deleteOld(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).toSorted();
  const old = names.slice(0, -keep);
  for (const name of old) await rm(join(folder, name));
  return old;
}
