import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate } from '#shared/database/migrate.ts';
import { requireSessions } from '#shared/database/require-database.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { createLog } from '#shared/platform/log.ts';
import { makeFolder, makePrivateFolder } from '#shared/platform/make-folder.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { ConfigFaults } from '#shared/platform/read-config.ts';
import { type Child, startChild } from './child.ts';
import { holdDataDir } from './data-dir-lock.ts';
import { keepDatabase } from './database.ts';
import { awaitLeftBehind, noteProcesses } from './left-behind.ts';
import { openLogFile } from './log-files.ts';
import { portFaults, type WantedPort } from './ports.ts';
import { addressesOf, planProcesses, type ProcessPlan, sharedEnv, wantedPorts } from './processes.ts';
import type { Launch } from './read-launch.ts';
import { say, sayLogLine, sayWelcome } from './terminal.ts';

const began = Date.now();

/** What a rehearsal adds to a start. */
export interface Stage {
  wantedPorts: readonly WantedPort[];
  /** Called once the tables are up to date. Returns the address of the database for the processes. */
  prepare: (ownerUrl: string) => Promise<string>;
  /** Programs that start before the others. */
  plans: readonly ProcessPlan[];
  /** Serves in front of them; resolves with how to stop it. */
  open: () => Promise<() => void>;
  /** Called once everything runs; says so. */
  started: (how: { database: string; databaseUrl: string; tookMs: number }) => void;
}

/** Starts everything and keeps it running until it is told to stop. */
export async function run(launch: Launch, stage?: Stage): Promise<void> {
  const { settings } = launch;
  const addresses = addressesOf(settings);
  makePrivateFolder(settings.dataDir);
  makeFolder(join(settings.dataDir, 'logs'), 0o755);
  const dataDir = realpathSync(settings.dataDir);
  const freeDataDir = await holdDataDir(dataDir, `process ${process.pid}, portal ${addresses.portal}`);

  const logFile = openLogFile(join(dataDir, 'logs', 'launch.log'));
  const log = createLog('launch', { destination: { write: (line) => logFile.write(line.trimEnd()) } });
  const life = createProcessLife(log, 40_000);
  life.onStop('log', () => logFile.close());
  life.onStop('data folder', freeDataDir);
  const tell = (text: string): void => {
    log.warn(text);
    say(`  ${text}`);
  };

  try {
    await awaitLeftBehind(dataDir);
    const faults = await portFaults([...wantedPorts(settings), ...(stage?.wantedPorts ?? [])]);
    if (faults.length > 0) throw new ConfigFaults(faults);
    life.onStop('farewell', () => say('  Stopped.'));
    const databaseUrl = settings.databaseUrl ?? (await startDatabase());
    await requireSessions(databaseUrl);
    const migrated = await migrate(databaseUrl);
    log.info({ migrated }, 'the database is up to date');
    await startProcesses(stage === undefined ? databaseUrl : await stage.prepare(databaseUrl));
  } catch (error) {
    if (life.stopping()) return;
    log.error({ err: error }, 'could not start');
    say(`\n${error instanceof Error ? error.message : String(error)}\n`);
    await life.stop('could not start', 1);
  }

  async function startDatabase(): Promise<string> {
    setWalArchive(dataDir, settings.walArchiveDir === undefined ? undefined : resolve(settings.walArchiveDir));
    const options = { dataDir, logFile: join(dataDir, 'logs', 'postgres.log'), tell };
    const starting = keepDatabase(options, (reason) => {
      tell(reason);
      void life.stop(reason, 1);
    });
    // Registered before it has started: Ctrl-C may come in the meantime.
    life.onStop('database', async () => (await starting).stop());
    return (await starting).databaseUrl;
  }

  async function startProcesses(databaseUrl: string): Promise<void> {
    if (stage !== undefined) life.onStop('front', await stage.open());
    const plans = [...(stage?.plans ?? []), ...planProcesses(settings, sharedEnv(settings, launch.env, databaseUrl))];
    const files = new Map(plans.map(({ name }) => [name, openLogFile(join(dataDir, 'logs', `${name}.log`))]));
    life.onStop('log files', () => Promise.all([...files.values()].map((file) => file.close())));
    life.onStop('note of processes', () => noteProcesses(dataDir, []));
    const children: Child[] = [];
    const note = () =>
      noteProcesses(
        dataDir,
        children.flatMap((each) => each.pid() ?? []),
      );
    for (const plan of plans) {
      const child = startChild(plan, {
        line: (name, text, stream) => {
          files.get(name)?.write(text);
          sayLogLine(name, text, stream, settings.verbose);
        },
        tell,
        changed: note,
      });
      life.onStop(plan.name, child.stop);
      children.push(child);
    }
    life.onStop('word', () => say('\n  Stopping …'));
    note();
    await Promise.all(children.map((child) => child.ready));
    const database =
      settings.databaseUrl === undefined
        ? `PostgreSQL on port ${new URL(databaseUrl).port}`
        : 'your PostgreSQL (DATABASE_URL)';
    const tookMs = Date.now() - began;
    if (stage === undefined) sayWelcome({ addresses, dataDir, database, tookMs });
    else stage.started({ database, databaseUrl, tookMs });
    process.send?.({ ready: true, ...addresses });
  }
}
