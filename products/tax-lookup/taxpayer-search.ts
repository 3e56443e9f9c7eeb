import type { Clock } from '#shared/platform/clock.ts';
import type { Gsp } from '#products/gsp/gsp.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { readTaxpayer, type Taxpayer } from '#products/tax-lookup/taxpayer.ts';

/** A search in the register of taxpayers. Null: no such number is registered. Throws UpstreamFault. */
export type TaxpayerSearch = (gstin: string) => Promise<Taxpayer | null>;

const portal = 'The GST portal';

/** Error codes by which the portal and the providers say that a number does not exist. */
const notFoundCodes = new Set(['FO8000', 'NOGSTIN', 'SWEB_9035', 'RET13510', '3001']);

/** The public taxpayer search of the GST portal, through a GSP. */
export function createTaxpayerSearch(gsp: Gsp, now: Clock): TaxpayerSearch {
  return async (gstin) => {
    const response = await gsp(portal, { path: `/commonapi/v1.3/search?action=TP&gstin=${encodeURIComponent(gstin)}` });
    if (response.ok) {
      const found = readTaxpayer(response.result, gstin, new Date(now()).toISOString());
      if (found !== undefined) return found;
      throw new UpstreamFault(502, `${portal} sent a response that cannot be parsed.`);
    }
    if (response.errors.some(({ code }) => notFoundCodes.has(code))) return null;
    const told = response.errors.map(({ code, message }) => `${code} ${message}`.trim()).join(', ');
    throw new UpstreamFault(502, `${portal} refused the search (${told}).`);
  };
}
