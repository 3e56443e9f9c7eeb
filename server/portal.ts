import type { Catalog } from '#catalog/catalog.ts';
import type { Db } from '#database/connect.ts';
import type { Renderer } from '#paper/renderer.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { PortalSettings } from './config.ts';
import type { VerifyIdToken } from './platform/auth/google.ts';
import type { ProductClock } from './platform/clock.ts';
import type { EInvoices } from './platform/e-invoice/e-invoices.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { Outbound } from './platform/outbound/outbound.ts';
import type { Razorpay } from './platform/razorpay/razorpay.ts';

/** Everything the portal is made of, built once by main and handed to every feature. */
export interface Portal {
  settings: PortalSettings;
  db: Db;
  catalog: Catalog;
  log: Log;
  /** The product's time, which stand-ins may move: billing days, quotas, documents. */
  clock: Clock;
  /** What moves it; undefined where customers are real. */
  movedClock: Pick<ProductClock, 'offsetMs' | 'moveTo'> | undefined;
  /** The machine's time: sessions, nonces and everything that outsiders stamp. */
  machineClock: Clock;
  verifyIdToken: VerifyIdToken;
  razorpay: Razorpay;
  jobs: Jobs;
  /** Makes PDFs in processes of their own. */
  renderer: Renderer;
  /** The way to the invoice portal; undefined while e-invoicing does not apply to the supplier. */
  eInvoices: EInvoices | undefined;
  /** The mail server; undefined in development without one: mails stay in the outbox. */
  mailer: Mailer | undefined;
  /** The way to addresses that customers named, and never inward. */
  outbound: Outbound;
  /** Signs short-lived download links; this installation made it for itself. */
  linkSecret: Buffer;
}

/** Who is calling, as the session says. */
export interface Caller {
  customerId: string;
}
