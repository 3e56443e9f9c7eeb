import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';

/** Port 0 takes any free port; the answer says which. */
export interface ProductsConfig {
  taxLookupPort: number;
  invoicingPort: number;
  productsHost: string;
  gatewayUrl: string;
  ratesDir: string;
}

export interface RunningProducts {
  taxLookupUrl: string;
  invoicingUrl: string;
  /** Lets running requests end, then frees both ports. */
  stop: () => Promise<void>;
}

/** Serves both products, each on its own port. Throws RateFaults when the rate table is not sound. */
export async function startProducts(config: ProductsConfig, now: Clock, log: Log): Promise<RunningProducts> {
  const { gatewayUrl, productsHost: host } = config;
  const table = readRateTable(config.ratesDir);
  const taxLookup = await createTaxLookup(gatewayUrl, table, now, log.child({ part: 'tax-lookup' }));
  const invoicing = await createInvoicing(gatewayUrl, now, log.child({ part: 'invoicing' }));
  const stop = async () => {
    await Promise.all([taxLookup.close(), invoicing.close()]);
  };
  try {
    const taxLookupUrl = await taxLookup.listen({ port: config.taxLookupPort, host });
    const invoicingUrl = await invoicing.listen({ port: config.invoicingPort, host });
    log.info({ codes: table.entries.length, ratesAsOf: table.asOf, taxLookupUrl, invoicingUrl }, 'both products serve');
    return { taxLookupUrl, invoicingUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
