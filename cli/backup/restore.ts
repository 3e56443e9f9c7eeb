import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBackupSettings } from '#backup/config.ts';
import { restoreBackup, type Restored, type RestoreTarget } from '#backup/restore-backup.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { removeEmbedded } from '#database/embedded.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { createLog } from '#platform/log.ts';
import { withDatabaseUrl } from '#server/operator-database.ts';
import { describe, summary } from './backup.ts';

interface RestoreOptions {
  identity?: string;
  json?: true;
}

/** `octroi restore`: into DATABASE_URL, or a new embedded database in DATA_DIR. */
export async function runRestore(file: string, options: RestoreOptions): Promise<void> {
  loadEnvFile();
  const settings = readBackupSettings({ env: process.env });
  const filesDir = join(settings.dataDir, 'restored');
  const identities = await readIdentities(options.identity);
  const restored = await withDatabaseUrl(settings, (databaseUrl) =>
    restoreBackup(file, identities, {
      databaseUrl,
      journalDir: settings.journalDir,
      filesDir,
      ...surroundings(options.json),
    }),
  );
  report(restored, options.json, [
    `Journals are in ${settings.journalDir}, the catalogue and other files in ${filesDir}.`,
    'Set the secrets again (the manifest lists their names), then start Octroi.',
  ]);
}

/** `octroi backup drill`: the same into a temporary folder, which is removed. */
export async function runDrill(file: string, options: RestoreOptions): Promise<void> {
  const identities = await readIdentities(options.identity);
  const folder = mkdtempSync(join(tmpdir(), 'octroi-drill-'));
  const dataDir = join(folder, 'data');
  try {
    const restored = await withDatabaseUrl({ dataDir, databaseUrl: undefined }, (databaseUrl) =>
      restoreBackup(file, identities, {
        databaseUrl,
        journalDir: join(folder, 'journal'),
        filesDir: join(folder, 'files'),
        ...surroundings(options.json),
      }),
    );
    report(restored, options.json, ['The drill’s copy is removed.']);
  } finally {
    // As root, the database itself lies elsewhere.
    if (existsSync(dataDir)) await removeEmbedded(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
}

function surroundings(json: boolean | undefined): Pick<RestoreTarget, 'now' | 'log' | 'say'> {
  return {
    now: Date.now,
    log: createLog('restore', { level: 'error' }),
    // Progress must not mix with JSON.
    say: (line) => void (json === true ? process.stderr : process.stdout).write(`${line}\n`),
  };
}

function report({ manifest, faults, closedSeries }: Restored, json: boolean | undefined, hints: string[]): void {
  printResult(json, { ...summary(manifest), faults, closedSeries }, [
    ...describe(manifest),
    faults.length === 0 ? 'The ledger is correct.' : `The ledger has ${faults.length} faults:`,
    ...faults.map((fault) => `  ✗ ${fault}`),
    `Documents continue in the next series; closed: ${closedSeries.join(', ')}`,
    ...hints,
  ]);
  if (faults.length > 0) throw new CommandFailed('The restored ledger does not hold.', exitCodes.faults);
}

/** The secret keys in a file in the format of `age-keygen`. */
async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailed(`${file} cannot be read.`);
  });
  const keys = text.split(/\s+/).filter((word) => word.startsWith('AGE-SECRET-KEY-'));
  if (keys.length === 0) throw new CommandFailed(`${file} has no secret key of age (AGE-SECRET-KEY-…).`);
  return keys;
}
