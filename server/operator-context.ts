import { readCatalog } from '#catalog/catalog-files.ts';
import { newestCatalogVersion } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { withOpened } from '#shared/platform/clean-up.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { createLog } from '#shared/platform/log.ts';
import { gspClientOf, readSettlementSettings } from './config.ts';
import { eInvoiceAccountOf, readPlaceOfPortal, readSettingsOfPortal } from './document-settings.ts';
import { openPortalLog } from './features/request-log/request-log.ts';
import { requireSameKind } from './installation.ts';
import { type DocumentFiles, openDocumentFiles } from './document-files/document-files.ts';
import { followCatalog } from './current-catalog.ts';
import { createGspEInvoices } from './e-invoice/gsp.ts';
import { createTaxpayerSearch } from './e-invoice/taxpayer-search.ts';
import { openJobs } from './jobs/jobs.ts';
import { createOutbound } from './outbound/outbound.ts';
import { withDatabase } from './operator-database.ts';
import type { OperatorContext, OperatorSource } from './operator-handler.ts';
import { followClock, readProductClock } from './product-clock.ts';
import { subscribers } from './subscribers.ts';

/** Opens the database for a command that only reads it. `clock` is the product's, which is ahead of the machine's when it was moved or the machine's went back. */
export function asReader<Result>(work: (db: Db, clock: Clock) => Promise<Result>): Promise<Result> {
  return withSource(({ db, clock }) => work(db, clock));
}

/** The same for calls of operators. */
export function withSource<Result>(work: (source: OperatorSource) => Promise<Result>): Promise<Result> {
  loadEnvFile();
  const settings = readSettlementSettings({ env: process.env });
  return withDatabase(settings, async (db) => {
    await requireSameKind(db, settings);
    const clock = await readProductClock(db, systemClock);
    return withOpened(async (open) => {
      const requestLog = await open(openPortalLog(settings, db, 'octroi operator', clock), (opened) => opened.close());
      return work({ db, settings, clock, requestLog });
    });
  });
}

/** The same for a command that reads PDFs of documents too, or `moves` them. */
export function asReaderOfPdfs<Result>(
  work: (source: OperatorSource & { documentFiles: DocumentFiles }) => Promise<Result>,
  { moves = false } = {},
): Promise<Result> {
  return withSource(async (source) => {
    const place = await readPlaceOfPortal(source.db, process.env, { moves });
    return work({ ...source, documentFiles: openDocumentFiles(place, quietLog()) });
  });
}

const quietLog = () => createLog('operator', { level: 'error' });

/** Opens everything for a command that changes something customers hear of: their mails are written and leave with the portal's. */
export function asOperator<Result>(work: (operator: OperatorContext) => Promise<Result>): Promise<Result> {
  return withSource(({ db, requestLog }) =>
    withOpened(async (open) => {
      const { webhooksToLoopback, settlementDays } = readSettlementSettings({ env: process.env });
      const settings = await readSettingsOfPortal(db, process.env);
      const log = quietLog();
      const account = eInvoiceAccountOf(settings);
      const eInvoices = account && createGspEInvoices(account, systemClock);
      const gspClient = gspClientOf(settings);
      const taxpayers = gspClient && createTaxpayerSearch(gspClient, systemClock);
      // Before the first start nothing is on sale but the files.
      const currentCatalog =
        (await newestCatalogVersion(db)) === undefined
          ? undefined
          : await open(followCatalog(db, log), ({ stop }) => stop());
      const catalog = currentCatalog?.catalog() ?? readCatalog(settings.catalogDir);
      const jobs = await open(openJobs(db, log, { onlySends: true }), (opened) => opened.stop());
      // The portal's time, which is ahead of the machine's when the clock was moved or went back.
      const following = followClock(db, systemClock, { movable: true, onWaiting: () => undefined });
      const { clock } = await open(following, ({ stop }) => stop());
      const outbound = createOutbound({ toLoopback: webhooksToLoopback });
      return work({
        db,
        requestLog,
        log,
        settings: { ...settings, settlementDays },
        catalog,
        ...(currentCatalog === undefined ? {} : { currentCatalog }),
        jobs,
        eInvoices,
        taxpayers,
        outbound,
        subscribers,
        clock,
      });
    }),
  );
}
