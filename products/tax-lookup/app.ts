import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Closing } from '#shared/platform/close-server.ts';
import type { MeasureResponses } from '#shared/platform/measure-responses.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { spreadLargeBodies } from '#products/http/large-bodies.ts';
import { createProductServer, type ProductServer } from '#products/http/product-server.ts';
import { createSandboxSearch } from '#products/tax-lookup/sandbox-search.ts';
import { gstinRoutes } from '#products/tax-lookup/gstin-routes.ts';
import { hsnRoutes } from '#products/tax-lookup/hsn-routes.ts';
import { placeOfSupplyRoutes } from '#products/tax-lookup/place-of-supply-routes.ts';
import type { OfficialList } from '#products/tax-lookup/official-list.ts';
import { pinRoutes } from '#products/tax-lookup/pin-routes.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import type { RateTable } from '#products/tax-lookup/rate-table.ts';
import { stateRoutes } from '#products/tax-lookup/state-routes.ts';
import { taxpayerRoutes } from '#products/tax-lookup/taxpayer-routes.ts';
import type { TaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

/** The data for test keys, separate from the real table. */
const sampleRatesFolder = projectFolder('products', 'sandbox', 'rates');

export interface TaxLookupParts {
  /** Its public address, for its reference. */
  gatewayUrl: string;
  table: RateTable;
  official: OfficialList;
  /** Undefined when live search is switched off. */
  search: TaxpayerSearch | undefined;
  now: Clock;
  log: Log;
  /** Called before its routes are added. */
  measure?: MeasureResponses | undefined;
  closing?: Closing | undefined;
}

/** The GST Tax Lookup API. */
export async function createTaxLookup(parts: TaxLookupParts): Promise<ProductServer> {
  const { gatewayUrl, table, official, search, now, log, measure, closing } = parts;
  const server = await createProductServer(
    {
      title: 'GST Tax Lookup API',
      description:
        'Checks GSTINs and returns the GST rates of HSN and SAC codes on any day, with the notification of each. Unknown data is reported as unknown, never guessed. Reference data, not tax advice.',
      gatewayUrl,
      gatewayPath: '/tax-lookup',
      tags: [
        { name: 'GSTIN', description: 'Check GSTINs, and look taxpayers up.' },
        { name: 'HSN and SAC', description: 'Rates of GST on goods and services, on any day.' },
        { name: 'States', description: 'States and Union Territories, and the PIN codes in them.' },
        { name: 'Place of supply', description: 'Where a supply is taxed, and by which taxes.' },
      ],
    },
    log,
    { measure, closing },
  );
  spreadLargeBodies(server);
  gstinRoutes(server);
  taxpayerRoutes(server, search, createSandboxSearch(now));
  hsnRoutes(server, table, readRateTable(sampleRatesFolder), official, now);
  stateRoutes(server);
  pinRoutes(server);
  placeOfSupplyRoutes(server);
  return server;
}
