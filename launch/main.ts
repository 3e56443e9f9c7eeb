import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate } from '#database/migrate.ts';
import { requireSessions } from '#database/require-database.ts';
import { setWalArchive } from '#database/wal-archive.ts';
import { createLog } from '#platform/log.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { createProcessLife } from '#platform/process-life.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { type Child, startChild } from './child.ts';
import { holdDataDir } from './data-dir-lock.ts';
import { keepDatabase } from './database.ts';
import { awaitLeftBehind, noteProcesses } from './left-behind.ts';
import { openLogFile } from './log-files.ts';
import { portFaults } from './ports.ts';
import { addressesOf, planProcesses, sharedEnv, wantedPorts } from './processes.ts';
import { type Launch, readLaunch } from './read-launch.ts';
import { say, sayHelp, sayLogLine, sayWelcome } from './terminal.ts';

const began = Date.now();

async function run(launch: Launch): Promise<void> {
  const { settings } = launch;
  const addresses = addressesOf(settings);
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
    const faults = await portFaults(wantedPorts(settings));
    if (faults.length > 0) throw new ConfigFaults(faults);
    life.onStop('farewell', () => say('  Stopped.'));
    const databaseUrl = settings.databaseUrl ?? (await startDatabase());
    await requireSessions(databaseUrl);
    const migrated = await migrate(databaseUrl);
    log.info({ migrated }, 'the database is up to date');
    await startProcesses(databaseUrl);
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
    const plans = planProcesses(settings, sharedEnv(settings, launch.env, databaseUrl));
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
    sayWelcome({ addresses, dataDir, database, tookMs: Date.now() - began });
    process.send?.({ ready: true, ...addresses });
  }
}

try {
  loadEnvFile();
  const launch = readLaunch(process.argv.slice(2), process.env);
  if (launch.help) sayHelp();
  else await run(launch);
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
