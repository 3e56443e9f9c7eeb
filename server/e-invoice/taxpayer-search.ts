import { z } from 'zod';
import type { Clock } from '#shared/platform/clock.ts';
import { EInvoiceUnavailable } from './e-invoices.ts';
import { createGspAccess, type GspClient } from './gsp-access.ts';

/** What the GST portal's public search says of a GSTIN. `type` and `status` as it writes them; null: no such registration. */
export interface TaxpayerAnswer {
  found: { type: string; status: string } | null;
  /** The answer as it was received. */
  text: string;
}

/** The GST portal's public search of taxpayers, through a GSP. Throws EInvoiceUnavailable, EInvoiceRefusal. */
export interface TaxpayerSearch {
  find: (gstin: string) => Promise<TaxpayerAnswer>;
}

/** `dty`: the type of taxpayer, such as "SEZ Unit"; `sts`: the status (GSTN, API "Search Taxpayer", action TP). */
const taxpayer = z.looseObject({ gstin: z.string(), dty: z.string().nullish(), sts: z.string().nullish() });
/** Some GSPs wrap the portal's answer. */
const wrapped = z.looseObject({ success: z.literal(true), result: taxpayer });
const errorCode = z.union([z.string(), z.number()]).nullish();
const refused = z.union([
  z.looseObject({ success: z.literal(false), errorCode, error_code: errorCode }),
  z.looseObject({ status_cd: z.union([z.literal('0'), z.literal(0)]), error: z.looseObject({ error_cd: errorCode }) }),
]);
/** The codes by which the portal and the GSPs say that there is no such registration. */
const unknownCodes: ReadonlySet<string> = new Set(['FO8000', 'NOGSTIN', 'SWEB_9035', 'RET13510', '3001']);

/** A customer waits for the answer. */
const searchTimeoutMs = 4000;
const maxChars = 100_000;

export function createTaxpayerSearch(
  client: GspClient,
  machineClock: Clock,
  timeoutMs = searchTimeoutMs,
): TaxpayerSearch {
  const access = createGspAccess(client, machineClock, timeoutMs);
  return {
    find: async (gstin) => {
      const path = `/commonapi/v1.3/search?action=TP&gstin=${encodeURIComponent(gstin)}`;
      const signal = AbortSignal.timeout(timeoutMs);
      const { status, text, body } = await access(path, { signal });
      const found = wrapped.safeParse(body).data?.result ?? taxpayer.safeParse(body).data;
      if (text.length <= maxChars && found?.gstin.toUpperCase() === gstin && found.dty && found.sts)
        return { found: { type: found.dty, status: found.sts }, text };
      if (text.length <= maxChars && unknownCodes.has(codeOf(body))) return { found: null, text };
      throw new EInvoiceUnavailable(`the GST portal responded with ${status} and no taxpayer`);
    },
  };
}

function codeOf(body: unknown): string {
  const parsed = refused.safeParse(body).data;
  if (!parsed) return '';
  return String(
    ('error' in parsed
      ? z.looseObject({ error_cd: errorCode }).safeParse(parsed.error).data?.error_cd
      : (parsed.errorCode ?? parsed.error_code)) ?? '',
  );
}
