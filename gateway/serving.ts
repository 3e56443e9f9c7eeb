import { type Admitter } from '#gateway/access/admit.ts';
import type { RateLimiter } from '#gateway/access/free-call-limiter.ts';
import { type CallsDeps, createCallHandler } from '#gateway/calls/calls.ts';
import { createCors } from '#gateway/calls/cors.ts';
import { createOwnEndpoints } from '#gateway/calls/own-endpoints.ts';
import { type ProbeTarget, probeTargets } from '#gateway/calls/probe.ts';
import { createRouter } from '#gateway/calls/routes.ts';
import type { Usage, UsageQuery } from '#gateway/quota/store.ts';
import { watchHealth } from '#gateway/upstream/health.ts';
import {
  addressesOf,
  basePath,
  connectUpstreams,
  type Upstream,
  type Upstreams,
  type UpstreamSettings,
} from '#gateway/upstream/upstream.ts';
import type { Log } from '#shared/platform/log.ts';
import { productsNotSetUp, type ServedCatalog } from './served-catalog.ts';

/** What all versions of the catalogue share. */
export interface ServingDeps extends Pick<
  CallsDeps,
  | 'metering'
  | 'abandonedCalls'
  | 'callerWaits'
  | 'backlog'
  | 'requestLog'
  | 'faults'
  | 'onFailure'
  | 'onRefusal'
  | 'beginTrace'
  | 'onFault'
  | 'gatewayUrl'
> {
  admitter: Omit<Admitter, 'catalog'>;
  usageRateLimiter: RateLimiter;
  readUsage: (of: UsageQuery) => Promise<Usage>;
  upstreamSettings: UpstreamSettings;
  log: Log;
}

/** One version of the catalogue at work: a call that it begins is served by it to the end. */
export interface Serving {
  version: number;
  served: ServedCatalog;
  handle: ReturnType<typeof createCallHandler>;
  upstreams: ReadonlySet<Upstream>;
  allUpstreams: Upstreams['all'];
  /** What the doctor's calls go to. */
  probeTargets: readonly ProbeTarget[];
  /** Starts what only the version in use does. */
  begin: () => void;
  /** Stops what `begin` started. Calls under way go on. */
  end: () => Promise<void>;
}

/** Connects the products of a catalogue, using those of the version before where nothing changed. */
export async function createServing(
  deps: ServingDeps,
  served: ServedCatalog,
  before?: ReadonlySet<Upstream>,
): Promise<Serving> {
  const { version, catalog, upstreams, sandboxes } = served;
  const products = await connectUpstreams({
    catalog,
    addresses: { upstreams, sandboxes },
    options: served.upstreamOptions,
    settings: deps.upstreamSettings,
    ...(before === undefined ? {} : { before }),
  });
  const readProduct = (productId: string, path: string) => {
    const address = upstreams.get(productId) ?? catalog.find(productId)?.upstreamUrl ?? '';
    return products.of(productId).read(basePath(address) + path);
  };
  const unserved = productsNotSetUp(served).map(({ id }) => id);
  let health: ReturnType<typeof watchHealth> | undefined;
  const admitter: Admitter = { ...deps.admitter, catalog };
  const handle = createCallHandler({
    admitter,
    metering: deps.metering,
    abandonedCalls: deps.abandonedCalls,
    callerWaits: deps.callerWaits,
    backlog: deps.backlog,
    requestLog: deps.requestLog,
    handleOwnEndpoint: createOwnEndpoints({
      ...admitter,
      use: deps.readUsage,
      gatewayUrl: deps.gatewayUrl,
      usageRateLimiter: deps.usageRateLimiter,
    }),
    cors: createCors(admitter.portalUrl, catalog),
    route: createRouter(catalog, { upstreams, sandboxes }, admitter.portalUrl),
    upstreamOf: products.of,
    sandboxOf: products.sandboxOf,
    probePath: (productId, test) => {
      const product = catalog.find(productId);
      const { live, test: sandbox } = product ? addressesOf(product, { upstreams, sandboxes }) : {};
      return basePath((test ? sandbox : live) ?? '') + (product?.gateway.health?.path ?? '/');
    },
    faults: deps.faults,
    gatewayUrl: deps.gatewayUrl,
    documents: served.documents,
    failingProducts: () => [...unserved, ...(health?.failing() ?? [])].toSorted(),
    onOpenInternal: (product, calls) =>
      deps.log.warn(
        { product, calls },
        'customers can make calls that the OpenAPI document marks x-internal: list them under refused in the product file',
      ),
    onFailure: deps.onFailure,
    onRefusal: deps.onRefusal,
    beginTrace: deps.beginTrace,
    onFault: deps.onFault,
  });
  return {
    version,
    served,
    handle,
    upstreams: new Set(products.all().map(({ upstream }) => upstream)),
    allUpstreams: products.all,
    probeTargets: probeTargets(catalog.products, { upstreams, sandboxes }),
    begin: () => {
      const asked = catalog.products.filter(({ id }) => !unserved.includes(id));
      health = watchHealth(asked, readProduct, deps.log);
    },
    end: async () => health?.close(),
  };
}
