import { readCatalog } from '#catalog/catalog-files.ts';
import { connect } from '#shared/database/connect.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { createLog } from '#shared/platform/log.ts';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import { createIdTokenVerifier } from '#server/auth/google.ts';
import type { PortalSettings } from '#server/config.ts';
import { documentFilesFor } from '#server/document-files/health.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { createOutbound } from '#server/outbound/outbound.ts';
import type { Portal } from '#server/portal.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import { subscribers } from '#server/subscribers.ts';
import { mortalPortal } from './mortal-portal.ts';
import { type StepName, steps } from './renewal-life.ts';

/** The task of a process that is killed while it works. */
export interface DyingTask {
  settings: PortalSettings;
  /** Of the product's clock. */
  offsetMs: number;
  step: StepName;
  customerId: string;
  /** Killed (-9) before its next statement or request after these, or once that request has taken effect. */
  lives: number;
}

const kill = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process survived kill -9');
};

/** One step of due work in a process of its own, as a portal does it. */
export async function workAndDie({ settings, offsetMs, step, customerId, lives }: DyingTask): Promise<void> {
  const connection = connect(settings.databaseUrl, { applicationName: 'octroi dying worker' });
  const { db } = connection;
  const log = createLog('portal', { level: 'error' });
  const jobs = await openJobs(db, log, { onlySends: true });

  const portal: Portal = {
    settings,
    db,
    catalog: readCatalog(settings.catalogDir),
    log,
    requestLog: postgresReader(db),
    jobs,
    ...documentFilesFor(settings, { db, log, now: systemClock }),
    renderer: testRenderer(),
    signer: undefined,
    clock: () => systemClock() + offsetMs,
    movedClock: undefined,
    machineClock: systemClock,
    startedAt: Date.now(),
    verifyIdToken: createIdTokenVerifier({
      jwksUrl: settings.googleJwksUrl,
      issuers: [],
      clientId: '',
      machineClock: systemClock,
    }),
    razorpay: createRazorpay({
      apiUrl: settings.razorpayApiUrl,
      keyId: settings.razorpayKeyId,
      keySecret: settings.razorpayKeySecret,
    }),
    eInvoices: undefined,
    taxpayers: undefined,
    mailer: undefined,
    outbound: createOutbound({ toLoopback: true, timeoutMs: 10_000 }),
    subscribers,
    linkSecret: Buffer.alloc(32),
  };
  await steps[step](mortalPortal(portal, lives, kill).portal, { db, customerId });
  await jobs.stop();
  await connection.close();
}
