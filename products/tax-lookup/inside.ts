import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '#shared/platform/clock.ts';
import { createLog } from '#shared/platform/log.ts';
import { gspOf, readProductsSettings } from '#products/config.ts';
import { createGsp } from '#products/gsp/gsp.ts';
import { createTaxLookup } from './app.ts';
import { readOfficialList } from './official-list.ts';
import { readRateTable } from './rate-files.ts';
import { createTaxpayerSearch } from './taxpayer-search.ts';

/** The GST Tax Lookup API for a gateway that runs it in its own process. */
export async function mount() {
  const settings = readProductsSettings({ env: process.env });
  const gsp = gspOf(settings);
  const server = await createTaxLookup({
    gatewayUrl: settings.gatewayUrl,
    table: readRateTable(settings.ratesDir),
    official: readOfficialList(settings.dataDir),
    search: gsp && createTaxpayerSearch(createGsp(gsp, systemClock), systemClock),
    now: systemClock,
    log: createLog('products', { level: settings.logLevel }).child({ part: 'tax-lookup' }),
  });
  await server.ready();
  return {
    handle: (req: IncomingMessage, res: ServerResponse) => server.routing(req, res),
    read: async (path: string) => {
      const response = await server.inject(path);
      return { status: response.statusCode, body: response.rawPayload };
    },
    close: () => server.close(),
  };
}
