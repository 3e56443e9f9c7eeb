import type { Db } from '#database/connect.ts';
import { systemClock } from '#platform/clock.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { createLog, type Log } from '#platform/log.ts';
import { readDocumentSettings, readOperatorSettings } from './config.ts';
import { readCurrentCatalog } from './current-catalog.ts';
import { openJobs } from './jobs/jobs.ts';
import { withDatabase } from './operator-database.ts';
import type { EventContext } from './portal.ts';
import { followClock } from './product-clock.ts';
import { subscribers } from './subscribers.ts';

/** Opens the database for a command that only reads it. */
export function asReader<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  loadEnvFile();
  return withDatabase(readOperatorSettings({ env: process.env }), work);
}

/** What actions of operators work with: the database, and what customers hear of. */
export type OperatorContext = EventContext & { db: Db; log: Log };

/** Opens everything for a command that changes something customers hear of: their mails are written and leave with the portal's. */
export function asOperator<Result>(work: (operator: OperatorContext) => Promise<Result>): Promise<Result> {
  return asReader(async (db) => {
    const settings = readDocumentSettings({ env: process.env });
    const log = createLog('operator', { level: 'error' });
    const { catalog, remove } = await readCurrentCatalog(db, settings.catalogDir);
    const jobs = await openJobs(db, log, { onlySends: true });
    // The portal's time, which is ahead of the machine's when the clock was moved or went back.
    const { clock, stop } = await followClock(db, systemClock, { movable: true, onWaiting: () => undefined });
    try {
      return await work({ db, log, settings, catalog, jobs, subscribers, clock });
    } finally {
      stop();
      remove();
      await jobs.stop();
    }
  });
}
