import { CatalogFaults } from '#catalog/catalog.ts';
import { connect } from '#shared/database/connect.ts';
import { rendererBoundsOf } from '#shared/paper/config.ts';
import { dayOf } from '#shared/domain/day.ts';
import { createRenderer } from '#shared/paper/renderer.ts';
import { processName } from '#shared/database/process-name.ts';
import { rememberDatabase } from '#shared/database/database-memory.ts';
import { requireDatabase, UnfitDatabase } from '#shared/database/require-database.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { createLog } from '#shared/platform/log.ts';
import { metricsAt } from '#shared/platform/metrics.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { startTracing } from '#shared/platform/tracing.ts';
import { ConfigFaults } from '#shared/platform/read-config.ts';
import { buildApp } from './app.ts';
import { gspClientOf, readPortalSettings } from './config.ts';
import { eInvoiceAccountOf } from './document-settings.ts';
import { BrandFaults, brandOf } from './brand/brand.ts';
import { noticeMove } from './features/documents/documents.ts';
import { openPortalLog } from './features/request-log/request-log.ts';
import { startDueWork } from './features/payments/due-work.ts';
import { listWaiting } from './features/waiting/waiting.ts';
import { startLedgerChecks } from './ledger-checks.ts';
import { createIdTokenVerifier } from './auth/google.ts';
import { followCatalog, recordFilesAtStart } from './current-catalog.ts';
import { followClock } from './product-clock.ts';
import { installationSecret } from './crypto/installation-secret.ts';
import { openJobs } from './jobs/jobs.ts';
import { documentFilesFor } from './document-files/health.ts';
import { createGspEInvoices } from './e-invoice/gsp.ts';
import { createTaxpayerSearch } from './e-invoice/taxpayer-search.ts';
import { readHealth } from './health.ts';
import { measurePortal } from './metrics/portal-metrics.ts';
import { createMailer } from './smtp/mailer.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createRazorpay } from './razorpay/razorpay.ts';
import { openDocumentSigner } from './signature/document-signer.ts';
import { UnusableCertificate } from './signature/signing-certificate.ts';
import type { Portal } from './portal.ts';
import { findRenderer } from './public-pages/renderer.ts';
import { joinPortals } from './portal-presence.ts';
import { startRoundWorkers } from './start-rounds.ts';
import { subscribers } from './subscribers.ts';

/** Creates the portal process from its settings and serves until it is told to stop. */
async function main(): Promise<void> {
  const settings = readPortalSettings({ env: process.env });
  const log = createLog('portal', { level: settings.logLevel });
  const life = createProcessLife(log);
  life.onStop('traces', await startTracing('octroi-portal', settings));
  brandOf(settings);
  await requireDatabase(settings.databaseUrl, { isRehearsal: settings.rehearsal });
  const memory = rememberDatabase(settings.dataDir, log);
  const { db, pool, close } = connect(settings.databaseUrl, {
    onConnected: memory.look,
    applicationName: processName('portal'),
    maxConnections: 20,
    keptConnections: 2,
    onConnectionLost: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  life.onStop('database', close);
  await memory.look(pool);
  const refusal = memory.refusal();
  if (refusal !== undefined) throw new UnfitDatabase(refusal, 'setback');
  const views = settings.operatorSeeAs
    ? connect(settings.databaseUrl, { applicationName: processName('portal'), maxConnections: 5, readOnly: true })
    : undefined;
  if (views) life.onStop('database for views', views.close);
  await recordFilesAtStart(db, settings.catalogDir, log);
  const currentCatalog = await followCatalog(db, log);
  life.onStop('catalogue', currentCatalog.stop);
  const productClock = await followClock(db, systemClock, {
    movable: settings.standins,
    onWaiting: (day) =>
      log.error(
        { day },
        'the clock of this machine went back: billing time stops on the day already reached until the clock catches up',
      ),
  });
  life.onStop('clock', productClock.stop);
  const requestLog = await openPortalLog(settings, db, processName('portal'), productClock.clock);
  life.onStop('request log', requestLog.close);
  const jobs = await openJobs(db, log);
  life.onStop('jobs', jobs.stop);
  const eInvoiceAccount = eInvoiceAccountOf(settings);
  const gspClient = gspClientOf(settings);
  const mailer =
    settings.smtpUrl === undefined ? undefined : createMailer(settings.smtpUrl, settings.mailFrom, settings);
  if (mailer) life.onStop('mail', mailer.close);
  else log.warn('SMTP_URL is not set: mails are stored and not sent');
  const renderer = createRenderer(rendererBoundsOf(settings), log);
  life.onStop('renderer', renderer.stop);
  const portal: Portal = {
    settings,
    db,
    viewDb: views?.db,
    get catalog() {
      return currentCatalog.catalog();
    },
    currentCatalog,
    log,
    requestLog,
    jobs,
    ...documentFilesFor(settings, { db, log, now: systemClock }),
    renderer,
    signer: await openDocumentSigner(settings, productClock.clock, log),
    clock: productClock.clock,
    movedClock: settings.standins ? productClock : undefined,
    machineClock: systemClock,
    startedAt: systemClock(),
    verifyIdToken: createIdTokenVerifier({
      jwksUrl: settings.googleJwksUrl,
      issuers: settings.googleIssuers.split(','),
      clientId: settings.googleClientId,
      machineClock: systemClock,
    }),
    razorpay: createRazorpay({
      apiUrl: settings.razorpayApiUrl,
      keyId: settings.razorpayKeyId,
      keySecret: settings.razorpayKeySecret,
    }),
    eInvoices: eInvoiceAccount && createGspEInvoices(eInvoiceAccount, systemClock),
    taxpayers: gspClient && createTaxpayerSearch(gspClient, systemClock),
    mailer,
    outbound: createOutbound({ toLoopback: settings.webhooksToLoopback }),
    subscribers,
    linkSecret: await installationSecret(db, 'download-links'),
  };
  life.onStop(
    'place of the database',
    memory.follow(pool, () => noticeMove(portal)),
  );
  // Tried again with each clean-up.
  if (requestLog.isApart)
    await requestLog
      .prepare(dayOf(portal.clock()))
      .catch((error: unknown) => log.error({ err: error }, 'the request log could not be prepared'));
  // It logs what is wrong with their place, and the pages work without them.
  await portal.documentFilesHealth();
  life.onStop('payments', startDueWork(portal).stop);
  life.onStop('ledger checks', (await startLedgerChecks(portal)).stop);
  life.onStop('rounds', (await startRoundWorkers(portal)).stop);
  const measured = metricsAt(settings.portalMetricsPort, settings.metricsHost);
  if (measured)
    measurePortal(measured.metrics, {
      portal,
      pool,
      readHealth: () => readHealth(portal),
      readWaiting: () => listWaiting(db, systemClock(), { limit: 0 }),
    });
  const app = await buildApp(portal, {
    pagesFolder: projectFolder('build', 'web'),
    publicPages: findRenderer(projectFolder('build', 'public-pages')),
    metrics: measured?.metrics,
  });
  life.onStop('http', () => app.close());
  await app.listen({ port: settings.portalPort, host: settings.portalHost });
  // Once it serves: a portal that can't start differs from nobody.
  portal.presence = await joinPortals(db, process.env, log);
  life.onStop('presence', portal.presence.stop);
  if (measured) life.onStop('metrics', (await measured.serve(log)).close);
  log.info({ url: settings.portalUrl }, 'ready');
}

main().catch((error: unknown) => {
  const foreseen = [BrandFaults, ConfigFaults, CatalogFaults, UnfitDatabase, UnusableCertificate].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(
    `${foreseen && error instanceof Error ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
});
