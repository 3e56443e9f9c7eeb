import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '#database/embedded.ts';
import { migrate } from '#database/migrate.ts';
import { requireSessions } from '#database/require-database.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { readOperatorSettings } from './config.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run migrate`: creates or updates the tables of DATABASE_URL, or of the embedded database in the data folder. */
async function main(): Promise<void> {
  const envFile = projectFolder('.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const { dataDir, databaseUrl } = readOperatorSettings({ env: process.env });
  if (databaseUrl !== undefined) return bringUpToDate(databaseUrl);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const embedded = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log'), tell: say });
  try {
    await bringUpToDate(embedded.databaseUrl);
  } finally {
    // If it was running before, leave it running.
    if (!embedded.attached) await embedded.stop();
  }
  return undefined;
}

async function bringUpToDate(databaseUrl: string): Promise<void> {
  await requireSessions(databaseUrl);
  const applied = await migrate(databaseUrl);
  for (const name of applied) say(`applied ${name}`);
  say(applied.length === 0 ? 'The database was already up to date.' : 'The database is up to date.');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
