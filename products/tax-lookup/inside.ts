import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { systemClock } from '#shared/platform/clock.ts';
import { createLog } from '#shared/platform/log.ts';
import { gspOf, readProductsSettings } from '#products/config.ts';
import { createGsp } from '#products/gsp/gsp.ts';
import { createTaxLookup } from './app.ts';
import { readOfficialList } from './official-list.ts';
import { readRateTable } from './rate-files.ts';
import { createTaxpayerSearch } from './taxpayer-search.ts';

/** A request as the gateway gives it to an API in its process: headers as a flat list, the body as a buffer if it is complete. */
interface Request {
  method: string;
  path: string;
  headers: readonly string[];
  body: Buffer | Readable | null;
}

/** The values of each name in a flat list. Has no prototype: a header may be called `constructor`. */
function byName(headers: readonly string[]): NodeJS.Dict<string[]> {
  const values: NodeJS.Dict<string[]> = Object.create(null);
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    (values[name] ??= []).push(headers[index + 1] ?? '');
  }
  return values;
}

const inList = (headers: OutgoingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().flatMap((each) => [name, String(each)]));

/** The GST Tax Lookup API for a gateway that runs it in its own process: the same server, without a connection. */
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
    respond: async ({ method, path, headers, body }: Request) => {
      const payload = body === null ? {} : { payload: body };
      const response = await server.inject({ method, url: path, headers: byName(headers), ...payload });
      return { status: response.statusCode, headers: inList(response.headers), body: response.rawPayload };
    },
    close: () => server.close(),
  };
}
