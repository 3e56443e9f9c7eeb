import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupSettings, readBackupSettings } from '#backup/config.ts';
import { type Catalog, CatalogFaults } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { newestCatalogVersion } from '#shared/database/catalog-versions.ts';
import { connect, type Db } from '#shared/database/connect.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { startEmbedded } from '#shared/database/embedded.ts';
import { requireDatabase, UnfitDatabase } from '#shared/database/require-database.ts';
import { gatewaySettings } from '#gateway/config.ts';
import { partList } from '#ship/launch/parts.ts';
import { sharedEnv } from '#ship/launch/processes.ts';
import { launcherSettings } from '#ship/launch/settings.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { readEnvFile } from '#shared/platform/env-file.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { ConfigFaults, readSoundSettings } from '#shared/platform/read-config.ts';
import { portalSettings } from '#server/config.ts';
import { readCurrentCatalog } from '#server/current-catalog.ts';
import { reasonOf } from '#shared/platform/reason.ts';

/** Everything that the checks look at. What is broken is undefined, with the reason beside it. */
export interface Installation {
  /** The settings as they were given. */
  given: Readonly<Record<string, string | undefined>>;
  /** The environment as the processes get it. */
  env: Readonly<Record<string, string>>;
  /** The file with the settings, if there is one. */
  envFile: string | undefined;
  /** The names in it. */
  fileSettings: readonly string[];
  isProduction: boolean;
  dataDir: string;
  journalDir: string;
  /** The valid settings of each process. */
  portal: ReturnType<typeof readSettings>['portal'];
  gateway: ReturnType<typeof readSettings>['gateway'];
  backup: ReturnType<typeof readSettings>['backup'];
  /** Every error in the settings, one sentence each. */
  settingsFaults: readonly string[];
  /** Open when the database is as this version needs it. */
  db: Db | undefined;
  /** Why it is not. */
  databaseFault: UnfitDatabase | undefined;
  databaseUrl: string | undefined;
  /** The catalogue in effect; before the first start, that of the folder. */
  catalog: Catalog | undefined;
  /** Why this version of Octroi can't read the catalogue in effect. */
  unreadable: CatalogFaults | undefined;
  /** The errors in the files of the catalogue. */
  catalogFaults: readonly string[];
  now: Clock;
  /** A timer runs the examination: what leaves something behind elsewhere is done once a day. */
  isTimed: boolean;
  /** Also what takes minutes. */
  isSlow: boolean;
}

/** How long a check waits for a reply of another system. */
export const replyTimeoutMs = 5000;

const readSettings = (env: Record<string, string | undefined>) => ({
  portal: readSoundSettings(portalSettings, { env }),
  gateway: readSoundSettings(gatewaySettings, { env }),
  backup: readSoundSettings(backupSettings, { env }),
});

/** Opens an installation as far as that is possible, and closes it after `work`. */
export async function withInstallation<Result>(
  given: {
    env: Record<string, string | undefined>;
    envFile?: string;
    now?: Clock;
    isTimed?: boolean;
    isSlow?: boolean;
  },
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const launcher = launcherDefaults(given.env);
  const dataDir = resolve(launcher.dataDir);
  const closing: (() => Promise<void> | void)[] = [];
  return withCleanUp(
    async () => {
      const { rehearsal = false } = readSettings(given.env).portal;
      const database = await openDatabase(launcher.databaseUrl, { dataDir, isRehearsal: rehearsal }, closing);
      const env = processEnv(launcher, given.env, database.databaseUrl);
      const settings = readSettings(env);
      const catalogDir = settings.portal.catalogDir ?? '';
      const files = readFiles(catalogDir);
      return await work({
        given: given.env,
        env,
        envFile: given.envFile,
        fileSettings: given.envFile === undefined ? [] : Object.keys(readEnvFile(given.envFile)),
        isProduction: launcher.nodeEnv === 'production',
        dataDir,
        journalDir: settings.gateway.journalDir ?? join(dataDir, 'journal'),
        ...settings,
        settingsFaults: settingsFaultsOf(given.env, env),
        ...database,
        ...(await currentCatalog(database.db, catalogDir, files.catalog)),
        catalogFaults: files.faults,
        now: given.now ?? systemClock,
        isTimed: given.isTimed === true,
        isSlow: given.isSlow === true,
      });
    },
    async () => {
      for (const close of closing.toReversed()) await close();
    },
  );
}

/** The launcher's settings; an invalid one counts as not set, and is reported with the others. */
export function launcherDefaults(env: Record<string, string | undefined>) {
  return { ...launcherSettings.parse({}), ...readSoundSettings(launcherSettings, { env }) };
}

/** What the processes get: in production nothing but the settings, else with the stand-ins that `npm start` adds. */
function processEnv(
  launcher: ReturnType<typeof launcherDefaults>,
  given: Record<string, string | undefined>,
  databaseUrl: string | undefined,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) env[name] = value;
  // An account that is not set stays so in production, and is reported.
  const noStandin = launcher.nodeEnv === 'production' ? '' : undefined;
  const { googleClientId = noStandin, razorpayKeyId = noStandin } = launcher;
  const settings = { ...launcher, googleClientId, razorpayKeyId };
  return sharedEnv(settings, env, databaseUrl ?? 'postgres://not-there@127.0.0.1/octroi');
}

function settingsFaultsOf(given: Record<string, string | undefined>, env: Record<string, string>): string[] {
  // Those that the launcher has defaults for are checked as they were given.
  const asGiven = { ...env };
  for (const name of ['PORTAL_URL', 'GATEWAY_URL', 'NODE_ENV'])
    if (given[name] !== undefined && given[name] !== '') asGiven[name] = given[name];
  const checks = [
    ...partList.map((part) => part.check),
    (each: Record<string, string>) => readBackupSettings({ env: each }),
  ];
  const faults = checks.flatMap((check) => {
    try {
      check(asGiven);
      return [];
    } catch (error) {
      if (error instanceof ConfigFaults) return error.faults;
      throw error;
    }
  });
  return [...new Set(faults)];
}

interface OpenedDatabase {
  db: Db | undefined;
  databaseUrl: string | undefined;
  databaseFault: UnfitDatabase | undefined;
}

async function openDatabase(
  given: string | undefined,
  { dataDir, isRehearsal }: { dataDir: string; isRehearsal: boolean },
  closing: (() => Promise<void> | void)[],
): Promise<OpenedDatabase> {
  let databaseUrl = given;
  try {
    databaseUrl ??= await openEmbedded(dataDir, closing);
    await requireDatabase(databaseUrl, { isRehearsal });
    const { db, close } = connect(databaseUrl, { applicationName: 'octroi doctor', maxConnections: 4 });
    closing.push(close);
    return { db, databaseUrl, databaseFault: undefined };
  } catch (error) {
    const databaseFault = error instanceof UnfitDatabase ? error : new UnfitDatabase(reasonOf(error), 'away');
    return { db: undefined, databaseUrl, databaseFault };
  }
}

/** The embedded database as it is: the doctor creates none. */
async function openEmbedded(dataDir: string, closing: (() => Promise<void> | void)[]): Promise<string> {
  if (!existsSync(join(clusterFolder(dataDir), 'cluster')))
    throw new UnfitDatabase(`DATABASE_URL is not set, and ${dataDir} has no database.`, 'missing');
  makeFolder(join(dataDir, 'logs'));
  const embedded = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
  if (!embedded.attached) closing.push(embedded.stop);
  return embedded.databaseUrl;
}

function readFiles(folder: string): { catalog: Catalog | undefined; faults: readonly string[] } {
  try {
    return { catalog: readCatalog(folder), faults: [] };
  } catch (error) {
    return { catalog: undefined, faults: error instanceof CatalogFaults ? error.faults : [reasonOf(error)] };
  }
}

/** The catalogue in effect; before the first start, that of the files. */
async function currentCatalog(
  db: Db | undefined,
  folder: string,
  ofFiles: Catalog | undefined,
): Promise<Pick<Installation, 'catalog' | 'unreadable'>> {
  const asInFiles = { catalog: ofFiles, unreadable: undefined };
  if (db === undefined) return asInFiles;
  try {
    if ((await newestCatalogVersion(db)) === undefined) return asInFiles;
    return { catalog: await readCurrentCatalog(db, folder), unreadable: undefined };
  } catch (error) {
    // What else is wrong with the database, its own checks say.
    return error instanceof CatalogFaults ? { catalog: undefined, unreadable: error } : asInFiles;
  }
}
