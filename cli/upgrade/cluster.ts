import { resolve } from 'node:path';
import { readBackupSettings } from '#backup/config.ts';
import { upgradeCluster } from '#backup/upgrade-cluster.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { createLog } from '#shared/platform/log.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';

/** `octroi upgrade cluster`: the embedded database to the major version of PostgreSQL of this version. */
export async function runUpgradeCluster({ programs, json }: { programs: string; json?: boolean }): Promise<void> {
  loadEnvFile();
  const settings = readBackupSettings({ env: process.env });
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined)
    throw new CommandFailed(
      'Use pg_upgrade of your own PostgreSQL: this command is for the embedded one. Unset DATABASE_URL.',
      exitCodes.usage,
    );
  const log = createLog('upgrade', { level: 'error' });
  const upgraded = await upgradeCluster({
    dataDir: resolve(dataDir),
    programs: resolve(programs),
    log,
    files: openDocumentFiles(settings, log),
    // Progress must not mix with JSON.
    say: (line) => void (json === true ? process.stderr : process.stdout).write(`${line}\n`),
  });
  const { from, to, tables, rows, kept, ledger } = upgraded;
  printResult(json, upgraded, [
    `The database is of PostgreSQL ${to}: ${formatNumber(rows)} rows of ${tables} tables are the same as in ${from}, and the ledger is correct (entry ${ledger.position}).`,
    `The old cluster is unchanged in ${kept}. Delete it when the new one has proved itself.`,
    'The archived log of the old cluster is not of the new one: with WAL_ARCHIVE_DIR, make a base backup after the start: octroi backup base',
    'Users of octroi database roles are not copied: run it again.',
  ]);
}
