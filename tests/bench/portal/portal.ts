import { readCatalog } from '#catalog/catalog-files.ts';
import { connect } from '#shared/database/connect.ts';
import { rendererBoundsOf } from '#shared/paper/config.ts';
import { createRenderer } from '#shared/paper/renderer.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { createLog } from '#shared/platform/log.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from '#server/app.ts';
import { readPortalSettings } from '#server/config.ts';
import { createIdTokenVerifier } from '#server/auth/google.ts';
import { documentFilesFor } from '#server/document-files/health.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { createOutbound } from '#server/outbound/outbound.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { subscribers } from '#server/subscribers.ts';

/** Signs the links in mails. */
export const linkSecret = Buffer.alloc(32, 7);

/** The tests' catalogue, or another. */
export const benchCatalog = process.env['CATALOG_DIR'] ?? projectFolder('ship', 'standins', 'catalog');

/** No outside system is called. */
const outside = {
  GOOGLE_CLIENT_ID: 'bench',
  RAZORPAY_KEY_ID: 'bench',
  RAZORPAY_KEY_SECRET: 'bench',
  RAZORPAY_WEBHOOK_SECRET: 'bench-of-the-portal',
};

/**
 * A portal on a database, built as its process builds it; rounds run only when they are measured. `startMs`: the time
 * that took.
 */
export async function startPortal(databaseUrl: string) {
  const began = performance.now();
  const settings = readPortalSettings({
    env: { ...outside, DATABASE_URL: databaseUrl, CATALOG_DIR: benchCatalog },
  });
  const log = createLog('portal', { level: 'error' });
  const connection = connect(databaseUrl, { applicationName: 'octroi bench', maxConnections: 20 });
  const jobs = await openJobs(connection.db, log);
  const renderer = createRenderer(rendererBoundsOf(settings), log);
  const portal: Portal = {
    settings,
    db: connection.db,
    catalog: readCatalog(settings.catalogDir),
    log,
    requestLog: postgresReader(connection.db),
    clock: systemClock,
    movedClock: undefined,
    machineClock: systemClock,
    startedAt: Date.now(),
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
    jobs,
    ...documentFilesFor(settings, { db: connection.db, log, now: systemClock }),
    renderer,
    signer: undefined,
    eInvoices: undefined,
    taxpayers: undefined,
    mailer: undefined,
    outbound: createOutbound({ toLoopback: false }),
    subscribers,
    linkSecret,
  };
  const app = await buildApp(portal);
  const startMs = performance.now() - began;
  const close = async (): Promise<void> => {
    await app.close();
    await jobs.stop();
    await renderer.stop();
    await connection.close();
  };
  return { portal, app, startMs, close };
}
