import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cancelReasons, portalTime } from '#domain/e-invoice.ts';
import type { Clock } from '#platform/clock.ts';
import { type EInvoices, EInvoiceRefusal, EInvoiceSilence, type Registration } from './e-invoices.ts';
import { type GspAnswer, readGspAnswer } from './gsp-answer.ts';

const registered = z.object({
  Irn: z.string().regex(/^[0-9a-f]{64}$/),
  AckNo: z.coerce.string(),
  AckDt: z.string(),
  SignedInvoice: z.string().min(1),
  SignedQRCode: z.string().min(1),
});
const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** Codes of the portal: the document is registered already; the registration is not active (it was cancelled before). */
const duplicate = '2150';
const notActive = '9999';

export interface GspAccount {
  url: string;
  clientId: string;
  clientSecret: string;
  /** The supplier's own login at the invoice portal. */
  user: string;
  password: string;
  gstin: string;
}

/** The invoice portal behind the plain JSON that a GSP (GST Suvidha Provider) puts in front of its encryption. */
export function createGspEInvoices(account: GspAccount, machineClock: Clock, timeoutMs = 20_000): EInvoices {
  let token: { text: string; until: number } | undefined;

  const fetchJson = async (path: string, init: RequestInit): Promise<{ status: number; body: unknown }> => {
    try {
      const response = await fetch(`${account.url}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      throw new EInvoiceSilence('the invoice portal did not answer', { cause: error });
    }
  };

  const authenticate = async (): Promise<string> => {
    if (token && machineClock() < token.until) return token.text;
    const headers = { gspappid: account.clientId, gspappsecret: account.clientSecret };
    const { status, body } = await fetchJson('/gsp/authenticate?grant_type=token', { method: 'POST', headers });
    const answer = tokenSchema.safeParse(body);
    if (!answer.success) throw new EInvoiceRefusal('login', `the GSP answered ${status} to the login`);
    // A minute early, so that it does not run out on its way.
    token = {
      text: answer.data.access_token,
      until: machineClock() + Math.max(0, answer.data.expires_in - 60) * 1000,
    };
    return token.text;
  };

  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<GspAnswer> => {
    const headers = {
      authorization: `Bearer ${await authenticate()}`,
      'content-type': 'application/json',
      user_name: account.user,
      password: account.password,
      gstin: account.gstin,
      requestid: randomUUID(),
    };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const { status, body: answer } = await fetchJson(`/ei/api/${path}`, init);
    // The GSP has forgotten the token; the next try logs in anew.
    if (status === 401) token = undefined;
    const read = readGspAnswer(answer);
    if (!read) throw new EInvoiceSilence(`the invoice portal answered ${status} and nothing readable`);
    return read;
  };

  return {
    register: async (document, irn) => {
      const answer = await call('POST', 'invoice', document);
      // An earlier try went through without being heard: the registration that there is counts.
      const known = !answer.ok && answer.code === duplicate;
      return registrationIn(known ? await call('GET', `invoice/irn?irn=${irn}`) : answer, irn);
    },
    cancel: async (irn, reason, remark) => {
      const answer = await call('POST', 'invoice/cancel', {
        Irn: irn,
        CnlRsn: cancelReasons[reason],
        CnlRem: remark.slice(0, 100),
      });
      if (!answer.ok && answer.code !== notActive) throw new EInvoiceRefusal(answer.code, answer.message);
    },
  };
}

function registrationIn(answer: GspAnswer, irn: string): Registration {
  if (!answer.ok) throw new EInvoiceRefusal(answer.code, answer.message);
  const result = registered.safeParse(answer.result);
  if (!result.success) throw new EInvoiceSilence('the invoice portal answered without a registration');
  if (result.data.Irn !== irn) throw new EInvoiceRefusal('irn', `the portal answered ${result.data.Irn}, not ${irn}`);
  const { AckNo, AckDt, SignedInvoice, SignedQRCode } = result.data;
  return {
    irn,
    ackNumber: AckNo,
    ackAt: portalTime(AckDt),
    signedQr: SignedQRCode,
    signedInvoice: SignedInvoice,
  };
}
