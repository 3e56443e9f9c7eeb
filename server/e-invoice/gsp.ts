import { z } from 'zod';
import { cancelReasons, portalTime } from '#shared/domain/e-invoice.ts';
import type { Clock } from '#shared/platform/clock.ts';
import {
  type EInvoices,
  type InvoicePortalLogin,
  EInvoiceRefusal,
  EInvoiceUnavailable,
  type Registration,
  type TaxpayerStatus,
} from './e-invoices.ts';
import { createGspAccess, type GspClient } from './gsp-access.ts';
import { type GspResponse, parseGspResponse } from './gsp-response.ts';

const registered = z.object({
  Irn: z.string().regex(/^[0-9a-f]{64}$/),
  AckNo: z.coerce.string(),
  AckDt: z.string(),
  SignedInvoice: z.string().min(1),
  SignedQRCode: z.string().min(1),
});
/** Status: active, cancelled, inactive (suspended too) or provisional (https://einv-apisandbox.nic.in, Get GSTIN details). */
const taxpayer = z.object({ Gstin: z.string(), Status: z.enum(['ACT', 'CNL', 'INA', 'PRO']) });

/** The portal's codes: the document is registered already, here or at another invoice portal; the registration is not active (it was cancelled before). */
const duplicate = '2150';
const elsewhere = '2295';
const notActive = '9999';
/** The portal's codes for a GSTIN of which it has nothing: no data, invalid, not active. */
const unknownCodes: ReadonlySet<string> = new Set(['3001', '3028', '3029']);

/** A customer waits for the check of a GSTIN, and the payment can go on without it. */
const statusTimeoutMs = 4000;

export interface GspAccount extends GspClient, InvoicePortalLogin {
  /** The logins of the supplier's earlier registrations, whose documents are followed by further ones. */
  earlierLogins?: readonly InvoicePortalLogin[];
}

/** The invoice portal, through the plain JSON API of a GSP (GST Suvidha Provider), which does the encryption. */
export function createGspEInvoices(account: GspAccount, machineClock: Clock, timeoutMs = 20_000): EInvoices {
  const access = createGspAccess(account, machineClock, timeoutMs);

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { body, signal, gstin = account.gstin }: { body?: object; signal?: AbortSignal; gstin?: string } = {},
  ): Promise<GspResponse> => {
    const login = [account, ...(account.earlierLogins ?? [])].find((each) => each.gstin === gstin);
    // Like a refused login, so that the document waits for one.
    if (!login) throw new EInvoiceRefusal('login', `no login for ${gstin} is set: E_INVOICE_EARLIER_LOGINS`);
    const headers = {
      'content-type': 'application/json',
      user_name: login.user,
      password: login.password,
      gstin,
    };
    const reply = await access(`/ei/api/${path}`, { method, headers, ...(body && { body }), signal });
    const read = parseGspResponse(reply.body);
    if (!read)
      throw new EInvoiceUnavailable(`the invoice portal responded with ${reply.status} and an unreadable body`);
    return read;
  };

  const ask = async (path: 'gstin' | 'syncgstin', whose: string, options: { signal?: AbortSignal; gstin?: string }) =>
    statusIn(await call('GET', `master/${path}?gstin=${whose}`, options), whose);

  const requireActiveSupplier = async (gstin: string): Promise<void> => {
    const status = await ask('syncgstin', gstin, { gstin });
    if (status !== 'active') throw supplierFault(gstin, status);
  };

  return {
    register: async (document, irn) => {
      const gstin = document.SellerDtls.Gstin;
      const response = await call('POST', 'invoice', { body: document, gstin });
      if (!response.ok && response.code === elsewhere) throw registeredAlready(response.code, response.message);
      if (response.ok || response.code !== duplicate) {
        // Whatever the code: a document is not refused for good, nor its buyer told of it, while the supplier's own GSTIN is at fault.
        if (!response.ok && refusalOf(response).isFinal) await requireActiveSupplier(gstin);
        return registrationIn(response, irn);
      }
      // An earlier attempt succeeded but its response was lost: use the existing registration.
      const existing = await call('GET', `invoice/irn?irn=${irn}`, { gstin });
      if (!existing.ok && refusalOf(existing).isFinal) throw registeredAlready(existing.code, existing.message);
      return registrationIn(existing, irn);
    },
    statusOf: async (gstin) => {
      const signal = AbortSignal.timeout(statusTimeoutMs);
      if ((await ask('gstin', gstin, { signal })) === 'active') return 'active';
      const status = await ask('syncgstin', gstin, { signal });
      if (status === 'unknown' && gstin !== account.gstin) {
        const own = await ask('syncgstin', account.gstin, { signal });
        if (own === 'unknown') throw supplierFault(account.gstin, own);
      }
      return status;
    },
    cancel: async ({ irn, gstin }, reason, remark) => {
      const body = { Irn: irn, CnlRsn: cancelReasons[reason], CnlRem: remark.slice(0, 100) };
      const response = await call('POST', 'invoice/cancel', { body, gstin });
      if (!response.ok && response.code !== notActive) throw refusalOf(response);
    },
  };
}

const refusalOf = ({ code, message }: { code: string; message: string }): EInvoiceRefusal =>
  new EInvoiceRefusal(code, message);

/** No refusal of the document: it waits until the supplier is registered again, as for a login, and its buyer has nothing to correct. */
const supplierFault = (gstin: string, status: TaxpayerStatus): EInvoiceRefusal =>
  new EInvoiceRefusal('supplier', `the supplier's own GSTIN ${gstin} is ${status} at the invoice portal`);

/**
 * No refusal of the document, which counts as registered and is never credited as one that is not: the portal has given out its signed texts to
 * nobody, or to another portal, and two days later gives them no more (2283).
 */
const registeredAlready = (code: string, message: string): EInvoiceRefusal =>
  new EInvoiceRefusal(
    'registered',
    `it is registered already, but the invoice portal does not return it (${code}: ${message})`,
  );

function statusIn(response: GspResponse, gstin: string): TaxpayerStatus {
  if (!response.ok) {
    if (unknownCodes.has(response.code)) return 'unknown';
    throw refusalOf(response);
  }
  const found = taxpayer.safeParse(response.result);
  if (!found.success || found.data.Gstin !== gstin) {
    throw new EInvoiceUnavailable('the invoice portal responded without the details of the GSTIN');
  }
  return found.data.Status === 'ACT' ? 'active' : 'inactive';
}

function registrationIn(response: GspResponse, irn: string): Registration {
  if (!response.ok) throw refusalOf(response);
  const result = registered.safeParse(response.result);
  if (!result.success) throw new EInvoiceUnavailable('the invoice portal responded without a registration');
  if (result.data.Irn !== irn) throw new EInvoiceRefusal('irn', `the portal returned ${result.data.Irn}, not ${irn}`);
  const { AckNo, AckDt, SignedInvoice, SignedQRCode } = result.data;
  return {
    irn,
    ackNumber: AckNo,
    ackAt: portalTime(AckDt),
    signedQr: SignedQRCode,
    signedInvoice: SignedInvoice,
  };
}
