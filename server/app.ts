import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './features/account/routes.ts';
import { accountantsRoutes } from './features/accountants/routes.ts';
import { activationsRoutes } from './features/activations/routes.ts';
import { readApiStatus } from './features/api-status/api-status.ts';
import { apiKeysRoutes } from './features/api-keys/routes.ts';
import { clockRoutes } from './features/clock/routes.ts';
import { creditRoutes } from './features/credit/routes.ts';
import { cyclesRoutes } from './features/cycles/routes.ts';
import { documentsRoutes } from './features/documents/routes.ts';
import { invoicesRoutes } from './features/invoices/routes.ts';
import { membersRoutes } from './features/members/routes.ts';
import { twoStepRoutes } from './features/members/two-step-routes.ts';
import { publicProducts } from './features/marketplace/marketplace.ts';
import { marketplaceRoutes } from './features/marketplace/routes.ts';
import { monthPackRoutes } from './features/month-pack/routes.ts';
import { operatorRoutes } from './operator-http/routes.ts';
import { outboxRoutes } from './features/outbox/routes.ts';
import { payLinksRoutes } from './features/pay-links/routes.ts';
import { paymentsRoutes } from './features/payments/routes.ts';
import { renewalsRoutes } from './features/renewals/routes.ts';
import { requestLogRoutes } from './features/request-log/routes.ts';
import { privacyRoutes } from './features/privacy/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { supportRoutes } from './features/support/routes.ts';
import { taxClaimsRoutes } from './features/tax-claims/routes.ts';
import { tdsRoutes } from './features/tds/routes.ts';
import { usageRoutes } from './features/usage/routes.ts';
import { webhooksRoutes } from './features/webhooks/routes.ts';
import { shareHealth } from './health.ts';
import type { Metrics } from '#shared/platform/metrics.ts';
import { createResponseMetrics } from '#shared/platform/measure-responses.ts';
import { backendPath, createApp } from './http/app.ts';
import { viewRoutes } from './http/view-routes.ts';
import { readPages, servePages } from './http/pages.ts';
import { refuseOtherStreams } from './http/serve-file.ts';
import { type Precompressed, precompress, sendPrecompressed } from './http/precompressed.ts';
import { brandOf } from './brand/brand.ts';
import { brandRoutes } from './images/brand-images.ts';
import { productImageRoutes } from './images/product-images.ts';
import type { Portal } from './portal.ts';
import type { LoadedRenderer } from './public-pages/renderer.ts';
import { openPublicSite } from './public-pages/public-site.ts';
import { publicPageRoutes } from './public-pages/routes.ts';

/** What customers call. */
const features = [
  accountRoutes,
  taxClaimsRoutes,
  marketplaceRoutes,
  membersRoutes,
  twoStepRoutes,
  activationsRoutes,
  cyclesRoutes,
  paymentsRoutes,
  creditRoutes,
  payLinksRoutes,
  renewalsRoutes,
  invoicesRoutes,
  documentsRoutes,
  tdsRoutes,
  monthPackRoutes,
  accountantsRoutes,
  usageRoutes,
  requestLogRoutes,
  searchRoutes,
  privacyRoutes,
  supportRoutes,
  apiKeysRoutes,
  webhooksRoutes,
];

interface AppOptions {
  /** Where the built pages are; without it only the calls are served. */
  pagesFolder?: string;
  /** Renders the public pages; without it there are none. */
  publicPages?: LoadedRenderer | undefined;
  /** Gets what the server measures, if anyone reads it. */
  metrics?: Metrics | undefined;
}

/** The portal's HTTP server: the calls of every feature under /backend, and the pages if they were built. */
export async function buildApp(
  portal: Portal,
  { pagesFolder, publicPages, metrics }: AppOptions = {},
): Promise<FastifyInstance> {
  const pages = pagesFolder === undefined ? undefined : readPages(pagesFolder);
  const site =
    publicPages && openPublicSite(portal, { products: publicProducts, readStatus: readApiStatus }, publicPages);
  portal.findPages = site?.findPages;
  const app = await createApp(portal, pages?.inlineScripts);
  app.addHook('onClose', () => site?.end());
  if (metrics) createResponseMetrics(metrics)(app, 'portal');
  await app.register(
    async (backend) => {
      refuseOtherStreams(backend);
      for (const routes of [...features, outboxRoutes, clockRoutes]) routes(backend, portal);
      await viewRoutes(backend, portal, features);
      await backend.register((operators) => operatorRoutes(operators, portal));
      productImageRoutes(backend, portal);
      backend.get('/health', { schema: { hide: true } }, shareHealth(portal));
      let openApi: Precompressed | undefined;
      backend.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
        openApi ??= precompress(JSON.stringify(app.swagger()));
        return sendPrecompressed(request, reply.type('application/json; charset=utf-8'), openApi);
      });
    },
    { prefix: backendPath },
  );
  brandRoutes(app, brandOf(portal.settings));
  publicPageRoutes(app, portal, site);
  if (pages) await servePages(app, portal, pages);
  await app.ready();
  return app;
}
