import type { Catalog } from '#catalog/catalog.ts';
import type { Connection } from '#database/connect.ts';
import { addDays, dayOf, startOfDay } from '#domain/day.ts';
import { createAccessCache } from '#gateway/access/access-cache.ts';
import type { Moment } from '#gateway/access/admitted-call.ts';
import { batchLookups } from '#gateway/access/key-lookups.ts';
import { joinGateways, type Membership } from '#gateway/access/membership.ts';
import { createRateLimiter } from '#gateway/access/free-call-limiter.ts';
import { findKeys, takeTestCall, type TestCallRequest } from '#gateway/access/store.ts';
import { AbandonedCalls } from '#gateway/calls/abandoned-calls.ts';
import { createCallHandler } from '#gateway/calls/calls.ts';
import { createCors } from '#gateway/calls/cors.ts';
import { createOwnEndpoints } from '#gateway/calls/own-endpoints.ts';
import { createRouter } from '#gateway/calls/routes.ts';
import { createRequestQueue } from '#gateway/http/request-queue.ts';
import { closeServer, createGatewayServer, listen } from '#gateway/http/server.ts';
import { createIdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { lockJournal } from '#gateway/journal/lock.ts';
import { catchUp, type Counting, startCounting } from '#gateway/quota/counting.ts';
import { createQuotaDesk } from '#gateway/quota/desk.ts';
import { createRecalls } from '#gateway/quota/recall.ts';
import { readUsage, takeQuota } from '#gateway/quota/store.ts';
import { CallMetrics } from '#gateway/metrics/call-metrics.ts';
import { registerState } from '#gateway/metrics/gateway-state.ts';
import { type RequestLog, startRequestLog } from '#gateway/request-log/request-log.ts';
import { watchHealth } from '#gateway/upstream/health.ts';
import type { UpstreamOptions } from '#gateway/upstream/upstream-options.ts';
import { basePath, connectUpstreams } from '#gateway/upstream/upstream.ts';
import { readNetworks } from '#platform/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { GatewayConfig } from './config.ts';

export interface GatewayDeps {
  config: GatewayConfig;
  connection: Connection;
  catalog: Catalog;
  /** The upstream address of each product, by its id. */
  upstreams: ReadonlyMap<string, string>;
  /** The sandbox address of each product that has one, by its id. */
  sandboxes: ReadonlyMap<string, string>;
  /** The options of each product, by its id. */
  upstreamOptions: ReadonlyMap<string, UpstreamOptions>;
  /** Gets what the gateway measures, if anyone reads it. */
  metrics?: Metrics | undefined;
  log: Log;
  now: Clock;
}

export interface Gateway {
  url: string;
  /** Finishes admitted calls, counts them, and releases unused quota. */
  close: () => Promise<void>;
}

/** How long a stopping gateway waits for calls whose callers have disconnected. */
const abandonedDrainMs = 3000;

/** Recovers the journal of an earlier process, then starts listening. `close` undoes the steps in reverse order. */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    const faults: unknown[] = [];
    // A failed step must not prevent the others.
    for (const step of undo.splice(0).toReversed()) {
      try {
        await step();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  };
  try {
    return { url: await assemble(deps, undo), close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

async function assemble(deps: GatewayDeps, undo: (() => Promise<unknown>)[]): Promise<string> {
  const { config, connection, catalog, upstreams, sandboxes, log, now } = deps;
  const { pool } = connection;
  const later: { members?: Membership; counting?: Counting } = {};
  const moment = createMoment(() =>
    Math.max(now() + (later.members?.clockOffsetMs() ?? 0), later.members?.reachedMs() ?? -Infinity),
  );
  const trusted = (): boolean => later.members?.trusted() === true;
  const leaseActive = (): boolean => later.members?.leaseActive() === true;

  undo.push(await lockJournal(config.journalDir));
  const journal = openJournal(config.journalDir, () => moment().nowMs);
  undo.push(journal.close);

  const cache = createAccessCache(
    batchLookups((keyHashes) => findKeys(pool, keyHashes)),
    trusted,
    leaseActive,
  );
  const recalls = createRecalls(journal.id);
  const desk = createQuotaDesk({
    takeQuota: (request) => takeQuota(pool, journal.id, request),
    synced: journal.synced,
    recalls,
    journalId: journal.id,
    runCounting: () => later.counting?.runNow(),
    onEnded: cache.evictActivation,
  });

  const members = await joinGateways(
    config.databaseUrl,
    journal.id,
    {
      onActivation: (activationId) => {
        cache.evictActivation(activationId);
        desk.releaseUnused(activationId);
      },
      onMissedChanges: cache.clear,
      onQuota: (message) => {
        const [topic, request = '', target = ''] = message.split(' ', 3);
        if (topic === 'returned') recalls.addReply(request, target);
        else desk.onRecall(target, request);
      },
    },
    log,
  );
  later.members = members;
  undo.push(members.leave);
  await catchUp(pool, journal, members.countedPosition(), log);
  const idempotentCalls = createIdempotentCalls(pool, journal.id, () => later.counting?.runNow());
  const counting = startCounting({ pool, journal, desk, idempotentCalls, today: () => moment().day, log });
  later.counting = counting;
  undo.push(async () => {
    journal.flush();
    await counting.finish();
  });

  const products = await connectUpstreams({
    catalog,
    addresses: { upstreams, sandboxes },
    options: deps.upstreamOptions,
    settings: config,
  });
  undo.push(products.close);

  const readProduct = (productId: string, path: string) => {
    const address = upstreams.get(productId) ?? catalog.find(productId)?.upstreamUrl ?? '';
    return products.of(productId).read(basePath(address) + path);
  };
  const health = watchHealth(catalog.products, readProduct, log);
  undo.push(health.close);

  const requestLog = startRequestLog(config.databaseUrl, log, readNetworks(config.trustedProxies));
  undo.push(requestLog.close);
  const callMetrics = deps.metrics && new CallMetrics();
  const abandonedCalls = new AbandonedCalls();
  undo.push(() => abandonedCalls.drain(abandonedDrainMs));
  const admitter = {
    catalog,
    cache,
    desk,
    moment,
    portalUrl: config.portalUrl,
    proxies: readNetworks(config.trustedProxies),
    testRateLimiter: createRateLimiter(config.testKeyRps),
    takeTestCall: (request: TestCallRequest) => takeTestCall(pool, request),
  };
  let stopping = false;
  const handle = createCallHandler({
    admitter,
    metering: { desk, journal, idempotentCalls, now: () => moment().nowMs },
    abandonedCalls,
    requestLog: callMetrics === undefined ? requestLog : measureCalls(requestLog, callMetrics),
    handleOwnEndpoint: createOwnEndpoints({
      ...admitter,
      use: (of) => readUsage(pool, of),
      gatewayUrl: config.gatewayUrl,
    }),
    cors: createCors(config.portalUrl, catalog),
    route: createRouter(catalog, { upstreams, sandboxes }),
    upstreamOf: products.of,
    sandboxOf: products.sandboxOf,
    faults: () => [
      ...(trusted() ? [] : ['database']),
      ...(journal.healthy() ? [] : ['journal']),
      ...(stopping ? ['stopping'] : []),
    ],
    gatewayUrl: config.gatewayUrl,
    failingProducts: health.failing,
    stopping: () => stopping,
    onFailure: reportFailures(log),
    onRefusal: (code) => callMetrics?.refused(code),
    onFault: (error, res) => {
      log.error({ err: error }, 'a call failed because of a bug in the gateway');
      res.destroy();
    },
  });
  const requestQueue = createRequestQueue({ begin: handle, maxQueueAgeMs: config.busyDelayMs });
  if (deps.metrics) {
    callMetrics?.register(deps.metrics);
    registerState(deps.metrics, { pool, journal, counting, requestLog, requestQueue, upstreams: products, trusted });
  }
  const server = createGatewayServer(requestQueue, products.inside);
  const url = await listen(server, config.gatewayPort, config.gatewayHost);
  undo.push(async () => {
    stopping = true;
    await requestQueue.drain();
    await closeServer(server);
  });
  return url;
}

/** Logs at most one line per second, since a product that is down fails every call. */
function reportFailures(log: Log): (product: string, requestId: string, error: Error) => void {
  let unreported = 0;
  let reportedAt = -1000;
  return (product, requestId, error) => {
    unreported += 1;
    if (performance.now() - reportedAt < 1000) return;
    log.warn({ product, requestId, reason: error.message, failures: unreported }, 'a product did not respond');
    unreported = 0;
    reportedAt = performance.now();
  };
}

/** Also measures each call that is recorded. */
function measureCalls(requestLog: RequestLog, callMetrics: CallMetrics): RequestLog {
  return {
    ...requestLog,
    record: (call, outcome, latencyMs) => {
      callMetrics.ended(call, outcome.reason, latencyMs);
      return requestLog.record(call, outcome, latencyMs);
    },
  };
}

/** The current time with its IST day, which is computed only when it changes. */
export function createMoment(now: Clock): () => Moment {
  let day = dayOf(now());
  let startsAt = startOfDay(day);
  let dayEndsAt = startOfDay(addDays(day, 1));
  return () => {
    const nowMs = now();
    if (nowMs < startsAt || nowMs >= dayEndsAt) {
      day = dayOf(nowMs);
      startsAt = startOfDay(day);
      dayEndsAt = startOfDay(addDays(day, 1));
    }
    return { nowMs, day, dayEndsAt };
  };
}
