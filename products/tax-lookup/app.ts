import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { createProductServer, type ProductServer } from '#products/http/product-server.ts';
import { gstinRoutes } from '#products/tax-lookup/gstin-routes.ts';
import { hsnRoutes } from '#products/tax-lookup/hsn-routes.ts';
import { placeOfSupplyRoutes } from '#products/tax-lookup/place-of-supply-routes.ts';
import type { RateTable } from '#products/tax-lookup/rate-table.ts';
import { stateRoutes } from '#products/tax-lookup/state-routes.ts';

/** The GST Tax Lookup API. `gatewayUrl` is where callers reach it, for its reference. */
export async function createTaxLookup(
  gatewayUrl: string,
  table: RateTable,
  now: Clock,
  log: Log,
): Promise<ProductServer> {
  const server = await createProductServer(
    {
      title: 'GST Tax Lookup API',
      description:
        'Checks GSTINs and answers the GST rates of HSN and SAC codes on any day, with the notification each comes from. What is not known is said, never guessed. Reference data, not tax advice.',
      gatewayUrl,
      gatewayPath: '/tax-lookup',
    },
    log,
  );
  gstinRoutes(server);
  hsnRoutes(server, table, now);
  stateRoutes(server);
  placeOfSupplyRoutes(server);
  return server;
}
