import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportCatalog } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import type { CatalogEvents } from '#gateway/access/membership.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { Log } from '#shared/platform/log.ts';
import { faultsOf, requireSecrets } from '#gateway/upstream/upstream-options.ts';
import { type CatalogVersions, productsNotSetUp, type ServedCatalog } from './served-catalog.ts';
import type { Serving } from './serving.ts';

/**
 * Serves one version of the catalogue, and changes to another between two calls (decision 040). Each call is served to its end by the
 * version that it began with.
 */
export interface CatalogSwap extends CatalogEvents {
  handle: Serving['handle'];
  version: () => number;
  /** The upstreams of the version in use. */
  all: Serving['allUpstreams'];
  probeTargets: () => Serving['probeTargets'];
  /** Serves the newest version in the database. */
  catchUp: () => Promise<void>;
  close: () => Promise<void>;
}

export interface CatalogSwapDeps {
  db: Db;
  journalId: string;
  first: Serving;
  /** Connects a version, using the upstreams of the one before where nothing changed. */
  connect: (served: ServedCatalog, before: ReadonlySet<Upstream>) => Promise<Serving>;
  /** Undefined when the catalogue never changes. */
  versions: CatalogVersions | undefined;
  log: Log;
  /** A call that began under an old version has reached its upstream's queue after this time. */
  admittedWithinMs?: number;
}

/** Looking a key up takes at most 2 s, and units of quota are waited for no longer than that. */
const defaultAdmittedWithinMs = 30_000;
const idleCheckMs = 250;
/** How often secrets that are missing are looked for. */
const lookAgainMs = 5000;

export function createCatalogSwap(deps: CatalogSwapDeps): CatalogSwap {
  const { db, journalId, versions, log } = deps;
  let current = deps.first;
  let prepared: Serving | undefined;
  let wanted = 0;
  let closed = false;
  let preparing: Promise<void> = Promise.resolve();
  const retiring = new Set<Promise<void>>();
  /** Upstreams of versions that calls may still use, besides the current ones. */
  const retired = new Set<Upstream>();
  const stop = new AbortController();
  // One listener per version that is retiring.
  setMaxListeners(0, stop.signal);

  const report = (values: Parameters<typeof reportCatalog>[2]): Promise<void> =>
    reportCatalog(db, journalId, values).catch((error: unknown) =>
      log.warn({ err: error }, 'could not report the version of the catalogue'),
    );

  /** Names the products whose calls are refused, and why. */
  const reportServed = async (): Promise<void> => {
    const faults = faultsOf(current.served.upstreamOptions);
    await report({ catalog_version: current.version, products_fault: faults.length > 0 ? faults.join('\n') : null });
  };

  const logFaults = (serving: Serving): void => {
    for (const [product, { faults }] of serving.served.upstreamOptions)
      if (faults.length > 0)
        log.error({ product, faults }, 'the calls of a product are refused until its secrets are there');
  };

  const discard = async (serving: Serving): Promise<void> => {
    await closeUpstreams([...serving.upstreams].filter((upstream) => !current.upstreams.has(upstream)));
  };

  /** Closes the connections that only an old version used, when its last call has ended. */
  const retire = async (old: Serving): Promise<void> => {
    const unused = [...old.upstreams].filter((upstream) => !current.upstreams.has(upstream));
    for (const upstream of unused) retired.add(upstream);
    await old.end();
    const waited = sleep(deps.admittedWithinMs ?? defaultAdmittedWithinMs, undefined, { signal: stop.signal });
    await waited.catch(() => {});
    while (!stop.signal.aborted && unused.some(isBusy)) await sleep(idleCheckMs);
    // A later version may have taken it up again.
    const over = unused.filter((upstream) => retired.delete(upstream) && !current.upstreams.has(upstream));
    await closeUpstreams(over);
  };

  const swap = (next: Serving): void => {
    const old = current;
    current = next;
    if (prepared === next) prepared = undefined;
    for (const upstream of next.upstreams) retired.delete(upstream);
    next.begin();
    const ending = retire(old).finally(() => retiring.delete(ending));
    retiring.add(ending);
    if (next.version === old.version)
      log.info({ version: next.version }, 'products whose secrets were missing are served');
    else log.info({ version: next.version, before: old.version }, 'the catalogue has changed');
    logFaults(next);
    void reportServed();
  };

  /** One that is in effect is served without the products that lack something; one that is proposed is refused. */
  const prepare = async (version: number, isInEffect: boolean): Promise<void> => {
    if (versions === undefined || version <= current.version || prepared?.version === version || closed) return;
    const served = await versions.load(version);
    if (!isInEffect) requireSecrets(served.upstreamOptions);
    const next = await deps.connect(served, current.upstreams);
    if (prepared !== undefined) await discard(prepared);
    prepared = next;
  };

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const before = preparing;
    const next = async (): Promise<void> => {
      await before;
      await work();
    };
    return (preparing = next());
  };

  /** Versions are prepared one after the other. Reports why one can't be served. */
  const prepareAndReport = (version: number, isInEffect = false): Promise<void> =>
    inTurn(async () => {
      const fault = await prepare(version, isInEffect).then(
        () => null,
        (error: unknown) => {
          log.error({ version, err: error }, 'this gateway cannot serve a version of the catalogue');
          return error instanceof Error ? error.message : String(error);
        },
      );
      await report({ prepared_version: version, catalog_fault: fault });
    });

  /** Takes up products whose secrets are there now. The others go on with what was read before. */
  const lookAgain = async (): Promise<void> => {
    const { served, version } = current;
    const missing = productsNotSetUp(served);
    if (versions === undefined || missing.length === 0 || closed) return;
    const read = versions.readOptions(missing);
    if ([...read.values()].every(({ faults }) => faults.length > 0)) return;
    const upstreamOptions = new Map([...served.upstreamOptions, ...read]);
    const next = await deps.connect({ ...served, upstreamOptions }, current.upstreams);
    if (current.version === version) swap(next);
    else await discard(next);
  };
  const looking = setInterval(() => {
    void inTurn(() =>
      lookAgain().catch((error: unknown) => log.error({ err: error }, 'could not take up a product of the catalogue')),
    );
  }, lookAgainMs);
  looking.unref();
  logFaults(current);

  const use = (version: number): boolean => {
    wanted = Math.max(wanted, version);
    if (version <= current.version) return true;
    if (prepared?.version !== version) return false;
    swap(prepared);
    return true;
  };

  const catchUp = async (): Promise<void> => {
    if (versions === undefined) return;
    let failed = 0;
    const isBehind = (newest: number): boolean => newest > current.version && newest !== failed;
    do {
      for (let newest = await versions.newest(); isBehind(Math.max(newest, wanted)); newest = await versions.newest()) {
        const version = Math.max(newest, wanted);
        await prepareAndReport(version, true);
        // A version that can't be served is reported; the older one goes on.
        if (!use(version)) failed = version;
      }
      await reportServed();
      // Its announcement may have been missed.
      const pending = await versions.pending();
      if (pending !== undefined) await prepareAndReport(pending);
      // It may have been put into effect before it was prepared.
    } while (isBehind(wanted));
  };

  return {
    handle: (req, res, late, startedMs) => current.handle(req, res, late, startedMs),
    version: () => current.version,
    all: () => current.allUpstreams(),
    probeTargets: () => current.probeTargets,
    onPrepare: (version) => void prepareAndReport(version),
    onUse: use,
    onReconnected: catchUp,
    catchUp,
    close: async () => {
      closed = true;
      clearInterval(looking);
      stop.abort();
      await preparing;
      if (prepared !== undefined) await discard(prepared);
      await Promise.all(retiring);
      await current.end();
      await closeUpstreams(current.upstreams);
    },
  };
}

function isBusy({ queue }: Upstream): boolean {
  const { running, queued } = queue.calls();
  return running + queued > 0;
}

async function closeUpstreams(upstreams: Iterable<Upstream>): Promise<void> {
  await Promise.all([...upstreams].map((upstream) => upstream.close()));
}
