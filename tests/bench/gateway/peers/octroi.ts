import { join } from 'node:path';
import { createCustomers } from '#tests/bench/gateway/customers.ts';
import { startDatabase, startGatewayProgram } from '#tests/bench/gateway/octroi.ts';
import { type Peer, type Place, type Running, unlimited } from '#tests/bench/gateway/peer.ts';
import { familyOf, signalQuietly } from '#tests/bench/gateway/processes.ts';

async function start(place: Place, env: Record<string, string> = {}): Promise<Running> {
  const { folder, port, productPort } = place;
  let database = await startDatabase(folder);
  await createCustomers(database.databaseUrl, place.openKeys, unlimited);
  await createCustomers(database.databaseUrl, place.limitedKeys, place.quota);
  const startGateway = () =>
    startGatewayProgram({ port, productPort, databaseUrl: database.databaseUrl, dataDir: folder, env });
  let gateway = await startGateway();
  return {
    pids: () => [gateway.pid, database.pid],
    crash: async () => {
      const family = familyOf([database.pid]);
      await gateway.end('SIGKILL');
      for (const pid of family) signalQuietly(pid, 'SIGKILL');
      database = await startDatabase(folder);
      gateway = await startGateway();
    },
    stop: async () => {
      await gateway.end();
      await database.stop();
    },
  };
}

export const octroi: Peer = {
  name: 'Octroi, proxied',
  does: 'key, rps, day, cycle; durable',
  hasQuota: true,
  start: (place) => start(place),
};

/** The same with the API as a module in its process, which saves one network hop. */
export const octroiInside: Peer = {
  name: 'Octroi, API inside',
  does: 'key, rps, day, cycle; durable',
  hasQuota: true,
  start: (place) => start(place, { UPSTREAM_TAX_LOOKUP_API: 'file:tests/bench/gateway/programs/inside-api.mjs' }),
};

/** The cost of the access log: the same program, with a line of JSON for each call. */
export const octroiLogged: Peer = {
  name: 'Octroi, access log (to compare)',
  does: 'key, rps, day, cycle; durable; access log',
  hasQuota: false,
  start: (place) => start(place, { ACCESS_LOG: join(place.folder, 'access.log') }),
};

/** The cost of traces: the same program, which sends a share of its calls to a collector. The API stands for it, which takes everything. */
const traced = (name: string, share: string): Peer => ({
  name,
  does: 'key, rps, day, cycle; durable; traces',
  hasQuota: false,
  start: (place) =>
    start(place, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${place.productPort}`,
      OTEL_TRACES_SAMPLER_ARG: share,
    }),
});

export const octroiTraced = traced('Octroi, one call in 20 traced (to compare)', '0.05');
export const octroiAllTraced = traced('Octroi, every call traced (to compare)', '1');

/** The cost of being watched: the same program, with its metrics read once a second, which is more often than Prometheus does by default. */
export const octroiWatched: Peer = {
  name: 'Octroi, watched (to compare)',
  does: 'key, rps, day, cycle; durable; metrics',
  hasQuota: false,
  start: async (place) => {
    const metricsPort = place.port + 1000;
    const running = await start(place, { GATEWAY_METRICS_PORT: String(metricsPort) });
    const readMetrics = async (): Promise<void> => {
      // Shorter than the interval, since a program is stopped while another one is measured.
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { signal: AbortSignal.timeout(900) });
      if (!(await response.text()).includes('octroi_call_duration_seconds')) throw new Error('there are no metrics');
    };
    await readMetrics();
    const timer = setInterval(() => void readMetrics().catch(() => {}), 1000);
    return {
      ...running,
      stop: async () => {
        clearInterval(timer);
        await running.stop();
      },
    };
  },
};
