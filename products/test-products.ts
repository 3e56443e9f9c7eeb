import { pino } from 'pino';
import type { Log } from '#shared/platform/log.ts';
import { testBounds, testRenderer } from '#shared/paper/test-renderer.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { type RunningProducts, startProducts } from '#products/start-products.ts';

export const ratesFolder = projectFolder('products', 'tax-lookup', 'rates');

/** Noon in India on 21 November 2026. */
export const testNow = () => Date.parse('2026-11-21T12:00:00+05:30');

export const quietLog: Log = pino({ enabled: false });

/** The invoicing product without a store and an account at a GSP, at a fixed time, or with what is given. */
export const createTestInvoicing = (
  more: Partial<Parameters<typeof createInvoicing>[0]> = {},
): Promise<ProductServer> =>
  createInvoicing({
    gatewayUrl: 'http://localhost:4100',
    registrar: undefined,
    store: undefined,
    renderer: testRenderer(),
    now: testNow,
    log: quietLog,
    ...more,
  });

/** Both products on free ports of this machine, at a fixed time. */
export function startTestProducts(
  more: Partial<Parameters<typeof startProducts>[0]> = {},
  log: Log = quietLog,
): Promise<RunningProducts> {
  return startProducts(
    {
      taxLookupPort: 0,
      invoicingPort: 0,
      productsHost: '127.0.0.1',
      gatewayUrl: 'http://localhost:4100',
      ratesDir: ratesFolder,
      dataDir: '/nowhere',
      gsp: undefined,
      pdf: testBounds,
      ...more,
    },
    testNow,
    log,
  );
}
