import { Counter, Gauge } from 'prom-client';
import type { RequestQueue } from '#gateway/http/request-queue.ts';
import type { Journal } from '#gateway/journal/journal.ts';
import type { Counting } from '#gateway/quota/counting.ts';
import type { RequestLog } from '#gateway/request-log/request-log.ts';
import type { Upstreams } from '#gateway/upstream/upstream.ts';
import { type MeasuredPool, measurePool, type Metrics } from '#shared/platform/metrics.ts';

/** The parts of a gateway whose state is measured. */
export interface MeasuredParts {
  pool: MeasuredPool;
  journal: Pick<Journal, 'healthy' | 'position'>;
  counting: Pick<Counting, 'countedTo' | 'healthy'>;
  requestLog: Pick<RequestLog, 'state'>;
  requestQueue: Pick<RequestQueue, 'waiting'>;
  upstreams: Pick<Upstreams, 'all'>;
  /** Is the access that the gateway has cached known to be current? */
  trusted: () => boolean;
}

/** Registers what waits, and what is unwell, read when somebody asks. */
export function registerState(metrics: Metrics, parts: MeasuredParts): void {
  const { pool, journal, counting, requestLog, requestQueue, upstreams, trusted } = parts;
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        collect() {
          this.set(read());
        },
        registers: [],
      }),
    );
  };
  measurePool(metrics, pool);
  gauge('octroi_journal_healthy', '1 if the last write and the last sync of the journal succeeded in time', () =>
    Number(journal.healthy()),
  );
  gauge('octroi_journal_uncounted_lines', 'Lines of the journal that the database has not counted yet', () =>
    Math.max(0, journal.position() - counting.countedTo()),
  );
  gauge('octroi_counting_healthy', '0 once the database has refused to count for some seconds', () =>
    Number(counting.healthy()),
  );
  gauge('octroi_access_trusted', '1 while the gateway hears of each change of access; else it refuses calls', () =>
    Number(trusted()),
  );
  gauge(
    'octroi_request_log_waiting_calls',
    'Calls that wait to be written to the request log',
    () => requestLog.state().waiting,
  );
  metrics.registerMetric(
    new Counter({
      name: 'octroi_request_log_dropped_calls',
      help: 'Calls that were counted, but never written to the request log, because too many waited',
      collect() {
        this.reset();
        this.inc(requestLog.state().dropped);
      },
      registers: [],
    }),
  );
  gauge(
    'octroi_queued_requests',
    'Requests that wait for a turn of the event loop',
    () => requestQueue.waiting().requests,
  );
  gauge(
    'octroi_paused_connections',
    'Connections that are not read, because too many requests wait',
    () => requestQueue.waiting().connections,
  );
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_product_set_up',
      help: '0 while the calls of a product are refused, because a secret or certificate of it is missing',
      labelNames: ['product'],
      collect() {
        this.reset();
        for (const { upstream } of upstreams.all()) this.set({ product: upstream.productId }, Number(upstream.isSetUp));
      },
      registers: [],
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_upstream_calls',
      help: 'Calls at each product: running, or queued for a connection',
      labelNames: ['product', 'sandbox', 'state'],
      collect() {
        // A new catalogue may have fewer products.
        this.reset();
        for (const { upstream, sandbox } of upstreams.all()) {
          const { running, queued } = upstream.queue.calls();
          const labels = { product: upstream.productId, sandbox: sandbox ? 'yes' : 'no' };
          this.set({ ...labels, state: 'running' }, running);
          this.set({ ...labels, state: 'queued' }, queued);
        }
      },
      registers: [],
    }),
  );
}
