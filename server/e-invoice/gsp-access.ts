import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { traced } from '#platform/tracing.ts';
import { EInvoiceRefusal, EInvoiceUnavailable } from './e-invoices.ts';

/** The provider's own account at a GSP (GST Suvidha Provider). */
export interface GspClient {
  url: string;
  clientId: string;
  clientSecret: string;
}

export interface GspReply {
  status: number;
  /** The body as it was received. */
  text: string;
  body: unknown;
}

/** Calls with the token of the account. Throws EInvoiceUnavailable, and EInvoiceRefusal when the GSP refuses the account. */
export type GspAccess = (
  path: string,
  init?: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: object; signal?: AbortSignal | undefined },
) => Promise<GspReply>;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** Logs in at the GSP when necessary, and again when it no longer knows the token. */
export function createGspAccess(
  { url, clientId, clientSecret }: GspClient,
  machineClock: Clock,
  timeoutMs: number,
): GspAccess {
  let token: { text: string; until: number } | undefined;

  const fetchJson = async (path: string, init: RequestInit): Promise<GspReply> => {
    try {
      const signal = init.signal ?? AbortSignal.timeout(timeoutMs);
      return await traced('GST systems', { kind: 'client' }, async () => {
        const response = await fetch(`${url}${path}`, { ...init, signal });
        const text = await response.text();
        const body: unknown = JSON.parse(text);
        return { status: response.status, text, body };
      });
    } catch (error) {
      throw new EInvoiceUnavailable('the invoice portal did not respond', { cause: error });
    }
  };

  const authenticate = async (signal?: AbortSignal): Promise<string> => {
    if (token && machineClock() < token.until) return token.text;
    const headers = { gspappid: clientId, gspappsecret: clientSecret };
    const { status, body } = await fetchJson('/gsp/authenticate?grant_type=token', {
      method: 'POST',
      headers,
      ...(signal && { signal }),
    });
    const granted = tokenSchema.safeParse(body);
    if (!granted.success) throw new EInvoiceRefusal('login', `the GSP responded with ${status} to the login`);
    // A minute early, so that it does not expire on the way.
    token = {
      text: granted.data.access_token,
      until: machineClock() + Math.max(0, granted.data.expires_in - 60) * 1000,
    };
    return token.text;
  };

  return async (path, { method = 'GET', headers = {}, body, signal } = {}) => {
    const reply = await fetchJson(path, {
      method,
      headers: { ...headers, authorization: `Bearer ${await authenticate(signal)}` },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    // The GSP no longer knows the token; the next attempt logs in again.
    if (reply.status === 401) token = undefined;
    return reply;
  };
}
