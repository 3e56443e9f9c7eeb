import { join } from 'node:path';
import { connect, type Db } from '#database/connect.ts';
import { startEmbedded } from '#database/embedded.ts';
import type { OperatorSettings } from '#server/config.ts';

/**
 * Opens the database for a command of the operator: DATABASE_URL, or the embedded one of the data folder, beside the running
 * product or without it; and closes what it opened.
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
    // Whoever found it running leaves it running.
    if (embedded && !embedded.attached) await embedded.stop();
  }
}
