import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Db } from '#shared/database/connect.ts';
import { startEmbedded } from '#shared/database/embedded.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import type { OperatorSettings } from '#server/config.ts';

/**
 * Opens the database for an operator command: DATABASE_URL, or the embedded database of the data folder, whether or not the product is
 * running. Closes what it opened. Creates no database, so that a wrong folder is noticed.
 */
export async function withDatabase<Result>(
  settings: OperatorSettings,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return withExistingUrl(settings, async (databaseUrl) => {
    const { db, close } = connect(databaseUrl, { applicationName: 'octroi operator', maxConnections: 5 });
    try {
      return await work(db);
    } finally {
      await close();
    }
  });
}

/** The same for a command that connects in its own way. */
export async function withExistingUrl<Result>(
  settings: OperatorSettings,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'postgres-port')))
    throw new Error(`There is no database in ${settings.dataDir}. Set DATABASE_URL, or DATA_DIR to the data folder.`);
  return withDatabaseUrl(settings, work);
}

/** The same for a command that may create the embedded database. */
export async function withDatabaseUrl<Result>(
  { dataDir, databaseUrl }: OperatorSettings,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  makeFolder(join(dataDir, 'logs'));
  const starting = startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
  return withCleanUp(
    async () => work((await starting).databaseUrl),
    async () => {
      const embedded = await starting.catch(() => undefined);
      // If it was running before, leave it running.
      if (embedded?.attached === false) await embedded.stop();
    },
  );
}
