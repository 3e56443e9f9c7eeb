import type { Db } from '#database/connect.ts';
import { withCleanUp } from '#platform/clean-up.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { createLog } from '#platform/log.ts';
import { readOperatorSettings } from './config.ts';
import { eInvoiceAccountOf, readPlaceOfPortal, readSettingsOfPortal } from './document-settings.ts';
import { requireSameKind } from './installation.ts';
import { type DocumentFiles, openDocumentFiles } from './document-files/document-files.ts';
import { readCurrentCatalog } from './current-catalog.ts';
import { createGspEInvoices } from './e-invoice/gsp.ts';
import type { Issuer } from './features/documents/documents.ts';
import { openJobs } from './jobs/jobs.ts';
import { withDatabase } from './operator-database.ts';
import { followClock, readProductClock } from './product-clock.ts';
import { subscribers } from './subscribers.ts';

/** Opens the database for a command that only reads it. `clock` is the product's, which is ahead of the machine's when it was moved or the machine's went back. */
export function asReader<Result>(work: (db: Db, clock: Clock) => Promise<Result>): Promise<Result> {
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  return withDatabase(settings, async (db) => {
    await requireSameKind(db, settings);
    return work(db, await readProductClock(db, systemClock));
  });
}

/** The same for a command that reads PDFs of documents too, or `moves` them. */
export function asReaderOfPdfs<Result>(
  work: (source: { db: Db; documentFiles: DocumentFiles; clock: Clock }) => Promise<Result>,
  { moves = false } = {},
): Promise<Result> {
  return asReader(async (db, clock) => {
    const log = createLog('operator', { level: 'error' });
    const place = await readPlaceOfPortal(db, process.env, { moves });
    return work({ db, clock, documentFiles: openDocumentFiles(place, log) });
  });
}

/** What actions of operators work with: the database, what customers hear of, and what issuing documents needs. */
export type OperatorContext = Issuer;

/** Opens everything for a command that changes something customers hear of: their mails are written and leave with the portal's. */
export function asOperator<Result>(work: (operator: OperatorContext) => Promise<Result>): Promise<Result> {
  return asReader(async (db) => {
    const settings = await readSettingsOfPortal(db, process.env);
    const log = createLog('operator', { level: 'error' });
    const account = eInvoiceAccountOf(settings);
    const eInvoices = account && createGspEInvoices(account, systemClock);
    const { catalog, remove } = await readCurrentCatalog(db, settings.catalogDir);
    return withCleanUp(async () => {
      const jobs = await openJobs(db, log, { onlySends: true });
      return withCleanUp(
        async () => {
          // The portal's time, which is ahead of the machine's when the clock was moved or went back.
          const { clock, stop } = await followClock(db, systemClock, { movable: true, onWaiting: () => undefined });
          return withCleanUp(() => work({ db, log, settings, catalog, jobs, eInvoices, subscribers, clock }), stop);
        },
        () => jobs.stop(),
      );
    }, remove);
  });
}
