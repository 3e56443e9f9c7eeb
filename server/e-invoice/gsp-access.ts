import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createTokenAccess, type IssuedToken } from '#shared/platform/access-token.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';
import { traced } from '#shared/platform/tracing.ts';
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

/** Calls with the token of the account and a new request id. Throws EInvoiceUnavailable, and EInvoiceRefusal when the GSP refuses the account. */
export type GspAccess = (
  path: string,
  init?: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: object; signal?: AbortSignal | undefined },
) => Promise<GspReply>;

/** A registered invoice with its signed copy and QR code has a few thousand. */
const maxBytes = 1_000_000;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** Logs in at the GSP when necessary, and again when it no longer knows the token. */
export function createGspAccess(
  { url, clientId, clientSecret }: GspClient,
  machineClock: Clock,
  timeoutMs: number,
): GspAccess {
  const withToken = createTokenAccess(machineClock);

  const fetchJson = async (path: string, init: RequestInit): Promise<GspReply> => {
    try {
      const signal = init.signal ?? AbortSignal.timeout(timeoutMs);
      return await traced('GST systems', { kind: 'client' }, async () => {
        const response = await fetch(`${url}${path}`, { ...init, signal });
        const text = await readText(response, maxBytes);
        // A 401 means that the token has ended, whatever its body says.
        const body: unknown = response.status === 401 ? parseJson(text) : JSON.parse(text);
        return { status: response.status, text, body };
      });
    } catch (error) {
      throw new EInvoiceUnavailable('the invoice portal did not respond', { cause: error });
    }
  };

  const login = async (signal?: AbortSignal): Promise<IssuedToken> => {
    const headers = { gspappid: clientId, gspappsecret: clientSecret };
    const { status, body } = await fetchJson('/gsp/authenticate?grant_type=token', {
      method: 'POST',
      headers,
      ...(signal && { signal }),
    });
    const granted = tokenSchema.safeParse(body);
    if (!granted.success) throw new EInvoiceRefusal('login', `the GSP responded with ${status} to the login`);
    return { text: granted.data.access_token, lifeMs: granted.data.expires_in * 1000 };
  };

  return async (path, { method = 'GET', headers = {}, body, signal } = {}) =>
    withToken(
      () => login(signal),
      (token) =>
        fetchJson(path, {
          method,
          headers: { ...headers, authorization: `Bearer ${token}`, requestid: randomUUID() },
          ...(body && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        }),
    );
}
