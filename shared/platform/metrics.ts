import { createServer } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, type OpenMetricsContentType, Registry } from 'prom-client';
import { z } from 'zod';
import type { Log } from './log.ts';

/** What a process measures of itself. */
export type Metrics = Registry<OpenMetricsContentType>;

/** What a process measures, and how it serves it. */
export interface ServedMetrics {
  metrics: Metrics;
  /** Begins to serve it; call when everything is registered. */
  serve: (log: Log) => Promise<{ url: string; close: () => Promise<void> }>;
}

/** Undefined without a port: then nothing is measured. */
export function metricsAt(port: number | undefined, host: string): ServedMetrics | undefined {
  if (port === undefined) return undefined;
  const metrics = createMetrics();
  return { metrics, serve: (log) => serveMetrics(metrics, { port, host }, log) };
}

/** Metrics of Node itself (processor, memory, event loop, garbage collection), to which a process adds its own. */
export function createMetrics(): Metrics {
  const metrics = new Registry<OpenMetricsContentType>();
  metrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: metrics });
  for (const { name } of metrics.getMetricsAsArray()) {
    const metric = metrics.getSingleMetric(name);
    if (!(metric instanceof Counter)) continue;
    // OpenMetrics adds the ending to the samples of a counter; its own name has none.
    metrics.removeSingleMetric(name);
    metrics.registerMetric(Object.assign(metric, { name: name.replace(/_total$/, '') }));
  }
  return metrics;
}

/** The connections of a pool, in the words of `pg`. */
export interface MeasuredPool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Registers the connections to the database: in use, idle, and work that waits for one. */
export function measurePool(metrics: Metrics, pool: MeasuredPool): void {
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_database_connections',
      help: 'Connections to the database by state; waiting: work that waits for a connection',
      labelNames: ['state'],
      collect() {
        this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, pool.waitingCount);
      },
      registers: [],
    }),
  );
}

/** What can't be read now, such as numbers in a database that is away, is left out. */
async function readMetrics(metrics: Metrics, log: Log): Promise<string> {
  const names = metrics.getMetricsAsArray().map(({ name }) => name);
  const read = await Promise.allSettled(names.map((name) => metrics.getSingleMetricAsString(name)));
  const leftOut = names.filter((_, index) => read[index]?.status === 'rejected');
  const failed = read.find((each) => each.status === 'rejected');
  if (failed !== undefined) log.error({ err: failed.reason, leftOut }, 'metrics could not be read and are left out');
  const texts = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return [...texts, '# EOF\n'].join('\n');
}

/** Serves `/metrics` on a port of its own, so that a proxy in front of the process never passes it on by mistake. */
export async function serveMetrics(
  metrics: Metrics,
  { port, host }: { port: number; host: string },
  log: Log,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('The metrics are at GET /metrics.\n');
      return;
    }
    void readMetrics(metrics, log).then((page) =>
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(page),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  const { port: bound } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
