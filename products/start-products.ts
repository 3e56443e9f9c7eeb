import { createRenderer, type RendererBounds } from '#shared/paper/renderer.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Closing } from '#shared/platform/close-server.ts';
import type { Log } from '#shared/platform/log.ts';
import { createResponseMetrics } from '#shared/platform/measure-responses.ts';
import type { Metrics } from '#shared/platform/metrics.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { createGsp, type GspSettings } from '#products/gsp/gsp.ts';
import { createRegistrar } from '#products/invoicing/registrar.ts';
import { openStore } from '#products/store/store.ts';
import { startSweep } from '#products/sweep.ts';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { readOfficialList } from '#products/tax-lookup/official-list.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { createTaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

/** Port 0 picks any free port; the result says which. */
export interface ProductsConfig {
  taxLookupPort: number;
  invoicingPort: number;
  productsHost: string;
  gatewayUrl: string;
  ratesDir: string;
  dataDir: string;
  /** Without a database, numbers and Idempotency-Key are off. */
  databaseUrl?: string | undefined;
  /** Account at a GSP; without one, no government system is called. */
  gsp: GspSettings | undefined;
  pdf: RendererBounds;
  /** Gets what the products measure, if anyone reads it. */
  metrics?: Metrics | undefined;
  closing?: Closing;
}

export interface RunningProducts {
  taxLookupUrl: string;
  invoicingUrl: string;
  /** Waits for running requests, then frees both ports. */
  stop: () => Promise<void>;
}

/** Serves both products, each on its own port. Throws RateFaults when the rate table is invalid. */
export async function startProducts(config: ProductsConfig, now: Clock, log: Log): Promise<RunningProducts> {
  const { gatewayUrl, productsHost: host, closing } = config;
  const table = readRateTable(config.ratesDir);
  const official = readOfficialList(config.dataDir);
  const measure = config.metrics && createResponseMetrics(config.metrics);
  const gsp = config.gsp && createGsp(config.gsp, now);
  const taxLookup = await createTaxLookup({
    gatewayUrl,
    table,
    official,
    search: gsp && createTaxpayerSearch(gsp, now),
    now,
    log: log.child({ part: 'tax-lookup' }),
    measure,
    closing,
  });
  const invoicingLog = log.child({ part: 'invoicing' });
  const store =
    config.databaseUrl === undefined
      ? undefined
      : openStore(config.databaseUrl, (err) => invoicingLog.warn({ err }, 'a connection to the database was lost'));
  const renderer = createRenderer(config.pdf, invoicingLog);
  const invoicing = await createInvoicing({
    gatewayUrl,
    registrar: gsp && createRegistrar(gsp),
    store,
    renderer,
    now,
    log: invoicingLog,
    measure,
    closing,
  });
  const sweep = store && startSweep(store, now, invoicingLog, config.metrics);
  const stop = async () => {
    // Queued documents are refused now, so that closing doesn't wait for them.
    await Promise.all([taxLookup.close(), invoicing.close(), renderer.stop(), sweep?.stop()]);
    await store?.close();
  };
  try {
    const taxLookupUrl = await taxLookup.listen({ port: config.taxLookupPort, host });
    const invoicingUrl = await invoicing.listen({ port: config.invoicingPort, host });
    log.info(
      {
        codes: table.entries.length,
        officialCodes: official.descriptions.size,
        ratesAsOf: table.asOf,
        government: gsp === undefined ? 'off' : 'on',
        taxLookupUrl,
        invoicingUrl,
      },
      'both products serve',
    );
    return { taxLookupUrl, invoicingUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
