import { Counter, Gauge } from 'prom-client';
import { type WaitingKind, waitingKinds } from '#shared/contract/operator/waiting.ts';
import { type MeasuredPool, measurePool, type Metrics } from '#shared/platform/metrics.ts';
import type { Portal } from '#server/portal.ts';
import { measureDoctor } from './doctor-metrics.ts';
import { createLedgerReader } from './ledger-reader.ts';

/** What the health report says, as far as it is a number. */
interface HealthNumbers {
  status: string;
  ledger: { ok: boolean; checkedAt: string | null; wholeCheckedAt: string | null } | null;
  unsettledPayments: { count: number; oldestSeconds: number | null } | null;
  refunds: { toTransfer: number; refused: number; late: number; oldestSeconds: number | null } | null;
  movedAtProvider: { refundsInWeek: number; openDisputes: number } | null;
  settlements: { differences: number } | null;
  eInvoices: { late: number; refused: number; overdue: number } | null;
  accessChanges: { unconfirmed: number } | null;
  documentNumbers: { enough: boolean } | null;
  timedWork: { failing: { count: number }[] } | null;
  portals: { differing: string[] } | null;
  signature: { daysLeft?: number };
}

interface MeasuredPortal {
  portal: Pick<Portal, 'db' | 'jobs' | 'machineClock'>;
  pool: MeasuredPool;
  readHealth: () => Promise<HealthNumbers>;
  /** Kinds of which nothing waits are left out. */
  readWaiting: () => Promise<{ kind: WaitingKind; count: number }[]>;
}

/** Registers the portal's numbers. All but the calls are read from the database when somebody asks. */
export function measurePortal(metrics: Metrics, { portal, pool, readHealth, readWaiting }: MeasuredPortal): void {
  measurePool(metrics, pool);
  measureJobs(metrics, portal);
  measureWaiting(metrics, readWaiting);
  measureLedger(metrics, portal);
  measureDoctor(metrics, portal);
  measureHealth(metrics, portal, readHealth);
}

function measureJobs(metrics: Metrics, { jobs }: Pick<Portal, 'jobs'>): void {
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_waiting_jobs',
      help: 'Jobs that wait for their turn or their next attempt, by kind; every portal reports the same',
      labelNames: ['kind'],
      async collect() {
        for (const { name, waiting } of await jobs.waiting()) this.set({ kind: name }, waiting);
      },
      registers: [],
    }),
  );
  metrics.registerMetric(
    new Counter({
      name: 'octroi_failed_job_attempts',
      help: 'Attempts of jobs that failed in this process, by kind',
      labelNames: ['kind'],
      collect() {
        this.reset();
        for (const [kind, failed] of jobs.failedAttempts()) this.inc({ kind }, failed);
      },
      registers: [],
    }),
  );
}

function measureWaiting(metrics: Metrics, readWaiting: MeasuredPortal['readWaiting']): void {
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_waiting_items',
      help: 'What waits for an operator, by kind, at most 100 of each; every portal reports the same',
      labelNames: ['kind'],
      async collect() {
        for (const kind of waitingKinds) this.set({ kind }, 0);
        for (const { kind, count } of await readWaiting()) this.set({ kind }, count);
      },
      registers: [],
    }),
  );
}

function measureLedger(metrics: Metrics, { db }: Pick<Portal, 'db'>): void {
  const readLedger = createLedgerReader(db);
  metrics.registerMetric(
    new Counter({
      name: 'octroi_ledger_paise',
      help: 'Paise booked since this process started, by account and side; every portal reports the same',
      labelNames: ['account', 'side'],
      async collect() {
        for (const { account, side, paise } of await readLedger()) this.inc({ account, side }, paise);
      },
      registers: [],
    }),
  );
}

function measureHealth(
  metrics: Metrics,
  { machineClock }: Pick<Portal, 'machineClock'>,
  readHealth: () => Promise<HealthNumbers>,
): void {
  // Its parts are read once for all numbers of one reading.
  let reading: Promise<HealthNumbers> | undefined;
  const readOnce = (): Promise<HealthNumbers> =>
    (reading ??= readHealth().finally(() => {
      reading = undefined;
    }));
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_healthy',
      help: '1 while the health report says ok; 0 also when there is none',
      async collect() {
        const status = await readOnce().then(
          (health) => health.status,
          () => undefined,
        );
        this.set(Number(status === 'ok'));
      },
      registers: [],
    }),
  );
  /** A part that is unknown has no number, which an alert can notice. */
  const gauge = (name: string, help: string, of: (health: HealthNumbers) => number | null | undefined): void => {
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        async collect() {
          const value = of(await readOnce());
          if (value == null) this.remove();
          else this.set(value);
        },
        registers: [],
      }),
    );
  };
  const secondsSince = (at: string | null | undefined): number | null =>
    at == null ? null : Math.max(0, (machineClock() - Date.parse(at)) / 1000);

  gauge(
    'octroi_ledger_ok',
    '1 if the ledger holds and its checks are recent',
    ({ ledger }) => ledger && Number(ledger.ok),
  );
  gauge('octroi_ledger_check_age_seconds', 'Time since what is new in the ledger was verified', ({ ledger }) =>
    secondsSince(ledger?.checkedAt),
  );
  gauge('octroi_whole_ledger_check_age_seconds', 'Time since the whole ledger was verified', ({ ledger }) =>
    secondsSince(ledger?.wholeCheckedAt),
  );
  gauge(
    'octroi_unsettled_payments',
    'Captured payments that could not be settled',
    (health) => health.unsettledPayments?.count,
  );
  gauge(
    'octroi_oldest_unsettled_payment_seconds',
    'Age of the oldest of them; 0 without one',
    (health) => health.unsettledPayments && (health.unsettledPayments.oldestSeconds ?? 0),
  );
  gauge(
    'octroi_refused_refunds',
    'Refunds that the provider refuses or a bank returned, and that are requested again',
    (health) => health.refunds?.refused,
  );
  gauge('octroi_refunds_to_transfer', 'Refunds that wait for a bank transfer', (health) => health.refunds?.toTransfer);
  gauge(
    'octroi_late_refunds',
    'Refunds that Razorpay has neither refused nor paid after a week',
    (health) => health.refunds?.late,
  );
  gauge(
    'octroi_oldest_unpaid_refund_seconds',
    'Age of the oldest of them; 0 without one',
    (health) => health.refunds && (health.refunds.oldestSeconds ?? 0),
  );
  gauge(
    'octroi_refunds_at_provider',
    'Refunds of the last week that were made at the provider',
    (health) => health.movedAtProvider?.refundsInWeek,
  );
  gauge('octroi_open_disputes', 'Disputes that are not decided', (health) => health.movedAtProvider?.openDisputes);
  gauge(
    'octroi_settlement_differences',
    'Differences between payments and settlements',
    (health) => health.settlements?.differences,
  );
  gauge(
    'octroi_late_e_invoices',
    'Documents that wait for the invoice portal for longer than a day',
    (health) => health.eInvoices?.late,
  );
  gauge(
    'octroi_refused_e_invoices',
    'Documents that the invoice portal rejected',
    (health) => health.eInvoices?.refused,
  );
  gauge(
    'octroi_overdue_e_invoices',
    'Documents older than 30 days without a registration',
    (health) => health.eInvoices?.overdue,
  );
  gauge(
    'octroi_unconfirmed_access_changes',
    'Changes of access that a gateway did not confirm in time',
    (health) => health.accessChanges?.unconfirmed,
  );
  gauge(
    'octroi_document_numbers_enough',
    '1 while enough document numbers are left this financial year',
    ({ documentNumbers }) => documentNumbers && Number(documentNumbers.enough),
  );
  gauge(
    'octroi_differing_portal_settings',
    'Settings of documents that differ between running portals; every portal reports the same',
    ({ portals }) => portals?.differing.length,
  );
  gauge(
    'octroi_failed_timed_work',
    'Steps of work that is due by time, and customers, for whom it fails',
    ({ timedWork }) => timedWork && timedWork.failing.reduce((sum, { count }) => sum + count, 0),
  );
  gauge(
    'octroi_signing_certificate_days',
    'Days until the signing certificate ends',
    (health) => health.signature.daysLeft,
  );
}
