import { Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** As much of a Fastify server as is measured. */
interface Server {
  addHook: (
    name: 'onResponse',
    hook: (request: Served, reply: { statusCode: number; elapsedTime: number }) => Promise<void>,
  ) => unknown;
}

interface Served {
  id: string;
  method: string;
  routeOptions: { url?: string | undefined };
}

/** Measures the responses of a server; the name tells servers of one process apart. */
export type MeasureResponses = (app: Server, server: string) => void;

/**
 * Measures every response of the servers of a process, by its route and never by its path, which may name a customer's things. `server`: the
 * name of the server, for processes that have several.
 */
export function createResponseMetrics(metrics: Metrics): MeasureResponses {
  const durations = new Histogram<'server' | 'method' | 'route' | 'status' | 'request_id'>({
    name: 'octroi_http_request_duration_seconds',
    help: 'Time to respond to a request, by server, route and status',
    labelNames: ['server', 'method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    enableExemplars: true,
    registers: [metrics],
  });
  return (app, server) => {
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'none';
      durations.observe({
        labels: { server, method: request.method, route, status: String(reply.statusCode) },
        value: reply.elapsedTime / 1000,
        exemplarLabels: { request_id: request.id },
      });
    });
  };
}
