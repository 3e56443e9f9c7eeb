import type { Server } from 'node:http';
import { gatewayLeaseMs } from '#shared/database/access.ts';
import type { Connection } from '#shared/database/connect.ts';
import { createAccessCache } from '#gateway/access/access-cache.ts';
import { createMoment } from '#gateway/access/moment.ts';
import { createCallerLines } from '#gateway/access/caller-line.ts';
import { batchLookups } from '#gateway/access/key-lookups.ts';
import { joinGateways, type Membership } from '#gateway/access/membership.ts';
import { createRateLimiter } from '#gateway/access/free-call-limiter.ts';
import { ProbeKeys } from '#gateway/access/probe-keys.ts';
import { findKeys, takeTestCall, type TestCallRequest } from '#gateway/access/store.ts';
import { AbandonedCalls } from '#gateway/calls/abandoned-calls.ts';
import { CallTrace } from '#gateway/calls/call-trace.ts';
import { answerProbe } from '#gateway/calls/probe.ts';
import { usageRequestsPerSecond } from '#gateway/calls/own-endpoints.ts';
import { checkHead } from '#gateway/http/client-errors.ts';
import { createRequestQueue } from '#gateway/http/request-queue.ts';
import { closeServer, createGatewayServer, listen, requestTimeoutMs } from '#gateway/http/server.ts';
import { createIdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { lockJournal } from '#gateway/journal/lock.ts';
import { catchUp, type Counting, startCounting } from '#gateway/quota/counting.ts';
import { createQuotaDesk } from '#gateway/quota/desk.ts';
import { createRecalls } from '#gateway/quota/recall.ts';
import { readUsage, takeQuota } from '#gateway/quota/store.ts';
import { CallMetrics } from '#gateway/metrics/call-metrics.ts';
import { registerState } from '#gateway/metrics/gateway-state.ts';
import { openAccessLog, withAccessLog } from '#gateway/request-log/access-log.ts';
import { openPlaces } from '#gateway/request-log/places.ts';
import { type RequestLog, startRequestLog } from '#gateway/request-log/request-log.ts';
import { createBacklog } from '#gateway/upstream/backlog.ts';
import { createCallerWaits } from '#gateway/upstream/caller-wait.ts';
import { isFromProxy, readNetworks } from '#shared/platform/addresses.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Closing } from '#shared/platform/close-server.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Metrics } from '#shared/platform/metrics.ts';
import { isTracing } from '#shared/platform/tracing.ts';
import { type CatalogSwap, createCatalogSwap } from './catalog-swap.ts';
import type { GatewayConfig } from './config.ts';
import type { CatalogVersions, ServedCatalog } from './served-catalog.ts';
import { createServing, type ServingDeps } from './serving.ts';

export interface GatewayDeps {
  config: GatewayConfig;
  connection: Connection;
  /** The catalogue at the start. */
  served: ServedCatalog;
  /** Where later versions come from; undefined when the catalogue never changes. */
  versions?: CatalogVersions;
  /** Gets what the gateway measures, if anyone reads it. */
  metrics?: Metrics | undefined;
  log: Log;
  now: Clock;
  closing?: Closing;
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
  const { config, connection, log, now } = deps;
  const { pool } = connection;
  const later: { members?: Membership; counting?: Counting; catalogs?: CatalogSwap; server?: Server; url?: string } =
    {};
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
  // Shorter than a call waits for its quota, so that what is left without the units of others still serves it; and a gateway that was
  // killed is not waited for once its lease has ended.
  const recalls = createRecalls(journal.id, Math.min(config.databaseTimeoutMs * 0.75, gatewayLeaseMs));
  const desk = createQuotaDesk({
    takeQuota: (request) => takeQuota(pool, journal.id, request),
    synced: journal.synced,
    recalls,
    journalId: journal.id,
    runCounting: () => later.counting?.runNow(),
    onEnded: cache.evictActivation,
    timeoutMs: config.databaseTimeoutMs,
  });

  const probeKeys = new ProbeKeys();
  const members = await joinGateways(
    config.databaseUrl,
    journal.id,
    {
      onActivation: (activationId) => {
        cache.evictActivation(activationId);
        desk.releaseUnused(activationId);
      },
      onMissedChanges: () => {
        cache.clear();
        later.counting?.onReconnected();
      },
      onQuota: (message) => {
        const [topic, request = '', target = ''] = message.split(' ', 3);
        if (topic === 'returned') recalls.addReply(request, target);
        else desk.onRecall(target, request);
      },
      onProbe: (message) => {
        const { url, catalogs } = later;
        if (url === undefined || catalogs === undefined) return;
        const { probeTargets: targets } = catalogs;
        void answerProbe({ pool, journalId: journal.id, url, keys: probeKeys, targets, log }, message);
      },
      catalog: {
        onPrepare: (version) => later.catalogs?.onPrepare(version),
        onUse: (version) => later.catalogs?.onUse(version) ?? true,
        onReconnected: async () => later.catalogs?.onReconnected(),
      },
    },
    log,
  );
  later.members = members;
  undo.push(members.leave);
  await catchUp(pool, journal, members.countedPosition(), log);
  const idempotentCalls = createIdempotentCalls({
    pool,
    journalId: journal.id,
    runCounting: () => later.counting?.runNow(),
    timeoutMs: config.databaseTimeoutMs,
    log,
  });
  const counting = startCounting({ pool, journal, desk, idempotentCalls, today: () => moment().day, log });
  later.counting = counting;
  undo.push(async () => {
    journal.flush();
    await counting.finish();
  });

  // After the calls have ended.
  undo.push(async () => later.catalogs?.close());
  const proxies = readNetworks(config.trustedProxies);
  const places = await openPlaces(config, log);
  undo.push(places.close);
  const requestLog = startRequestLog(places, log, proxies);
  undo.push(requestLog.close);
  const callMetrics = deps.metrics && new CallMetrics();
  const accessLog = config.accessLog === undefined ? undefined : openAccessLog(config.accessLog, log);
  if (accessLog) undo.push(accessLog.close);
  const written = accessLog ? withAccessLog(requestLog, accessLog) : requestLog;
  const abandonedCalls = new AbandonedCalls();
  undo.push(() => abandonedCalls.drain(abandonedDrainMs));
  let stopping = false;
  const serving: ServingDeps = {
    admitter: {
      cache,
      desk,
      moment,
      portalUrl: config.portalUrl,
      proxies,
      testRateLimiter: createRateLimiter(config.testKeyRps),
      probeKeys,
      takeTestCall: (request: TestCallRequest) => takeTestCall(pool, request),
      databaseTimeoutMs: config.databaseTimeoutMs,
    },
    metering: { desk, journal, idempotentCalls, now: () => moment().nowMs },
    abandonedCalls,
    callerWaits: createCallerWaits(config.callerTimeoutMs),
    backlog: createBacklog(),
    requestLog: callMetrics === undefined ? written : measureCalls(written, callMetrics),
    usageRateLimiter: createRateLimiter(usageRequestsPerSecond),
    readUsage: (of) => readUsage(pool, of),
    upstreamSettings: config,
    faults: () => [
      ...(trusted() ? [] : ['database']),
      ...(journal.healthy() ? [] : ['journal']),
      ...(counting.healthy() ? [] : ['counting']),
      ...(stopping ? ['stopping'] : []),
    ],
    gatewayUrl: config.gatewayUrl,
    onFailure: reportFailures(log),
    onRefusal: ({ status, code }, { res, requestId, recorded }) => {
      callMetrics?.refused(code);
      if (recorded) return;
      const { method = '', url: target = '' } = res.req;
      accessLog?.refused({ requestId, method, target, status, code });
    },
    beginTrace: isTracing() ? (req, requestId) => CallTrace.begin(req, requestId) : undefined,
    onFault: (error, res) => {
      log.error({ err: error }, 'a call failed because of a bug in the gateway');
      res.destroy();
    },
    log,
  };
  const first = await createServing(serving, deps.served);
  let largestBody = largestBodyOf(deps.served, config.maxBodyBytes);
  const catalogs = createCatalogSwap({
    db: connection.db,
    journalId: journal.id,
    first,
    connect: async (served, before) => {
      const next = await createServing(serving, served, before);
      largestBody = Math.max(largestBody, largestBodyOf(served, config.maxBodyBytes));
      if (later.server) later.server.requestTimeout = requestTimeoutMs(largestBody);
      return next;
    },
    versions: deps.versions,
    log,
  });
  later.catalogs = catalogs;
  first.begin();
  // The version may have changed since it was read.
  await catalogs.catchUp();

  const requestQueue = createRequestQueue({
    begin: checkHead(catalogs.handle),
    lineOf: createCallerLines(cache, proxies, () => moment().nowMs),
    isShared: (socket) => isFromProxy(socket, proxies),
    maxQueueAgeMs: config.busyDelayMs,
  });
  if (deps.metrics) {
    callMetrics?.register(deps.metrics);
    registerState(deps.metrics, { pool, journal, counting, requestLog, requestQueue, upstreams: catalogs, trusted });
  }
  const server = createGatewayServer(requestQueue, {
    maxBodyBytes: largestBody,
    maxHeadBytes: config.maxHeadBytes,
    isStopping: () => stopping,
  });
  later.server = server;
  const url = await listen(server, config.gatewayPort, config.gatewayHost);
  later.url = url;
  undo.push(async () => {
    stopping = true;
    await requestQueue.drain();
    await closeServer(server, deps.closing);
  });
  return url;
}

/** The largest request body that any API of a catalogue takes. */
function largestBodyOf({ catalog }: ServedCatalog, byDefault: number): number {
  return Math.max(byDefault, ...catalog.products.map(({ gateway }) => gateway.maxBodyBytes ?? 0));
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
