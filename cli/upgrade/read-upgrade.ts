import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { datedUntil, listBackups, openBackupPlace, type StoreSettings } from '#backup/backup-place.ts';
import { type BackupSettings, readBackupSettings } from '#backup/config.ts';
import { readOwner } from '#backup/owner.ts';
import { CatalogFaults } from '#catalog/catalog.ts';
import { readVersion } from '#catalog/read-version.ts';
import { newestCatalogVersion, readCatalogVersion } from '#shared/database/catalog-versions.ts';
import { openClient } from '#shared/database/clients.ts';
import { connect } from '#shared/database/connect.ts';
import { binariesVersion } from '#shared/database/embedded-binaries.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { kindOfMigration, type MigrationKind } from '#shared/database/expand-contract.ts';
import { appliedMigrations, checkHistory, readMigrations } from '#shared/database/migrate.ts';
import { dueOrChangedIn, namesOf } from '#shared/database/schema-objects.ts';
import { type RunningProcesses, runningProcesses } from '#shared/database/process-name.ts';
import { requireSessions } from '#shared/database/require-database.ts';
import { nodeVersionFault } from '#ship/launch/node-version.mjs';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { differenceOf } from '#server/catalog-proposal.ts';
import { withExistingUrl } from '#server/operator-database.ts';

/** Something that was looked at; what is not ok is in the way of the upgrade. */
export interface Finding {
  ok: boolean;
  text: string;
}

export interface Upgrade {
  version: string;
  pending: MigrationKind[];
  /** Tables, functions, views and triggers that are put in beside them: `function quota_used(…)`. */
  objects: string[];
  running: RunningProcesses[];
  findings: Finding[];
}

const hourMs = 3_600_000;
const versionRow = z.object({ server_version: z.string() });

/** Reads everything that decides whether to upgrade to this version now. */
export async function readUpgrade(backupWithinHours: number, migrations = readMigrations()): Promise<Upgrade> {
  loadEnvFile();
  const settings = readBackupSettings({ env: process.env });
  const version = octroiVersion();
  const node = nodeVersionFault();
  const before = [{ ok: node === undefined, text: node ?? `Node ${process.versions.node} fits.` }];
  // A cluster of another major version does not start, so it must be looked at before.
  if (settings.databaseUrl === undefined) before.push(clusterFinding(settings.dataDir));
  if (before.some(({ ok }) => !ok)) return { version, pending: [], objects: [], running: [], findings: before };
  return withExistingUrl(settings, async (databaseUrl) => {
    await requireSessions(databaseUrl);
    const client = openClient({ connectionString: databaseUrl, application_name: 'octroi upgrade' });
    await client.connect();
    try {
      const applied = await appliedMigrations(client);
      const known = historyFinding(() => checkHistory(applied, migrations));
      const pending = known.ok ? migrations.slice(applied.length).map(kindOfMigration) : [];
      const whole = migrations[0]?.whole;
      const objects = known.ok && whole ? namesOf(await dueOrChangedIn(client, whole)) : [];
      const running = await runningProcesses(client);
      const installation = async () => (await readOwner(databaseUrl)).installation;
      const [server] = checkedRows(versionRow, await client.query('show server_version'));
      return {
        version,
        pending,
        objects,
        running,
        findings: [
          ...before,
          { ok: true, text: `PostgreSQL ${server?.server_version ?? ''} fits.` },
          known,
          besideFinding(pending, running, migrations.at(-1)?.name.slice(0, 3) ?? ''),
          await catalogFinding(databaseUrl, settings.catalogDir),
          await backupFinding(settings, installation, backupWithinHours, pending.length + objects.length > 0),
        ],
      };
    } finally {
      await client.end();
    }
  });
}

/** Does the embedded PostgreSQL of this version read the cluster of the data folder? */
export function clusterFinding(dataDir: string, programs = binariesVersion()): Finding {
  const file = join(clusterFolder(dataDir), 'cluster', 'PG_VERSION');
  const [major = ''] = programs.split('.');
  if (!existsSync(file)) return { ok: true, text: `The embedded PostgreSQL ${major} will make a new cluster.` };
  const found = readFileSync(file, 'utf8').trim();
  if (found === major) return { ok: true, text: `The embedded cluster is of PostgreSQL ${found}, as this version's.` };
  return {
    ok: false,
    text: `The embedded cluster is of PostgreSQL ${found}, and this version brings ${major}, which can't read it. Bring it over with: octroi upgrade cluster`,
  };
}

function historyFinding(check: () => void): Finding {
  try {
    check();
    return { ok: true, text: "The database's migrations are this version's, fewer, or newer ones that let it run." };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** May what runs now go on while the tables change? */
export function besideFinding(
  pending: readonly MigrationKind[],
  running: readonly RunningProcesses[],
  newest: string,
): Finding {
  const older = running.filter(({ migration }) => migration < newest);
  if (older.length === 0 || pending.length === 0)
    return {
      ok: true,
      text: older.length === 0 ? 'No older version is connected.' : 'Nothing changes for older versions.',
    };
  const unsafe = pending.filter(({ contractions, contractOf }) => {
    if (contractOf === undefined) return contractions.length > 0;
    return older.some(({ migration }) => migration < contractOf);
  });
  if (unsafe.length === 0)
    return { ok: true, text: 'Older versions may go on while the tables change; replace them one after the other.' };
  const parts = older.map(({ part, version, migration }) => `${part} ${version} (${migration})`).join(', ');
  return {
    ok: false,
    text: `Stop ${parts} first: an older version can't run beside ${unsafe.map(({ name }) => name).join(', ')}.`,
  };
}

/** Can this version read what is on sale, and do the files differ from it? A start changes neither. */
export async function catalogFinding(databaseUrl: string, folder: string): Promise<Finding> {
  const { db, close } = connect(databaseUrl, { applicationName: 'octroi upgrade', maxConnections: 1 });
  return withCleanUp(async () => {
    const { rows } = await sql<{ there: boolean }>`select to_regclass('catalog_versions') is not null as there`.execute(
      db,
    );
    const version = rows[0]?.there === true ? await newestCatalogVersion(db) : undefined;
    if (version === undefined)
      return { ok: true, text: `Nothing is on sale yet: the first start takes the catalogue in ${folder}.` };
    try {
      await readVersion(version, await readCatalogVersion(db, version));
    } catch (error) {
      if (error instanceof CatalogFaults) return { ok: false, text: error.message };
      throw error;
    }
    const difference = await differenceOf(db, folder);
    if (difference === undefined)
      return { ok: true, text: `Version ${version} of the catalogue is on sale and stays.` };
    return { ok: true, text: [difference.sentence, ...difference.changes].join('\n    ') };
  }, close);
}

/** Is there a backup to go back to? Needed only when the tables change. */
export async function backupFinding(
  settings: Pick<Partial<BackupSettings>, 'backupDir'> & StoreSettings,
  installation: () => Promise<string>,
  withinHours: number,
  isNeeded: boolean,
): Promise<Finding> {
  const { backupDir: place } = settings;
  if (place === undefined)
    return {
      ok: !isNeeded,
      text: 'BACKUP_DIR is not set, so no backup is known. Make one with: octroi backup --to <folder>',
    };
  const { own } = await listBackups(openBackupPlace(place, settings), await installation());
  const newest = datedUntil(own, Date.now()).at(-1);
  if (newest === undefined)
    return { ok: !isNeeded, text: `There is no backup of this installation in ${place}. Make one with: octroi backup` };
  const ageHours = (Date.now() - newest.at.getTime()) / hourMs;
  const text = `The newest backup in ${place} is ${ageHours.toFixed(1)} hours old`;
  if (ageHours <= withinHours) return { ok: true, text: `${text}.` };
  return { ok: !isNeeded, text: `${text}; more than ${withinHours}. Make one with: octroi backup` };
}
