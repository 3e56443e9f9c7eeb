import { join } from 'node:path';
import { connect, type Db } from '#database/connect.ts';
import { startEmbedded } from '#database/embedded.ts';
import type { OperatorSettings } from '#server/config.ts';

/**
 * Opens the database for an operator command: DATABASE_URL, or the embedded database of the data folder, whether or not the product is
 * running. Closes what it opened.
 */
export async function withDatabase<Result>(
  settings: OperatorSettings,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = settings;
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') })
      : undefined;
  const databaseUrl = settings.databaseUrl ?? embedded?.databaseUrl ?? '';
  const { db, close } = connect(databaseUrl, { applicationName: 'octroi operator', maxConnections: 5 });
  try {
    return await work(db);
  } finally {
    await close();
    // If it was running before, leave it running.
    if (embedded && !embedded.attached) await embedded.stop();
  }
}
