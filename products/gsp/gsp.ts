import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createTokenAccess, type IssuedToken } from '#shared/platform/access-token.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type GspResponse, gspEnvelope, readGspResponse } from '#products/gsp/gsp-response.ts';
import { askUpstream, UpstreamFault } from '#products/http/upstream.ts';

/** An account at a GST Suvidha Provider, which forwards calls to the GST portal and the invoice portal. */
export interface GspSettings {
  url: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
}

export interface GspCall {
  /** Path and query at the provider. */
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
}

/** Calls a government system through the provider. Throws UpstreamFault. */
export type Gsp = (name: string, call: GspCall) => Promise<GspResponse>;

const tokenResponse = z.looseObject({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * A client of a GSP in the form that most of them share: a token for the account, then plain JSON with a request id on
 * each call.
 */
export function createGsp({ url, clientId, clientSecret, timeoutMs }: GspSettings, now: Clock): Gsp {
  const withToken = createTokenAccess(now);

  const login = async (): Promise<IssuedToken> => {
    const { status, body } = await askUpstream(
      {
        name: 'The GST service provider',
        url: `${url}/gsp/authenticate?grant_type=token`,
        method: 'POST',
        headers: { gspappid: clientId, gspappsecret: clientSecret },
        timeoutMs,
      },
      z.union([tokenResponse, gspEnvelope]),
    );
    const parsed = tokenResponse.safeParse(body);
    if (!parsed.success)
      throw new UpstreamFault(502, `The GST service provider refused our account (status ${status}).`);
    return { text: parsed.data.access_token, lifeMs: parsed.data.expires_in * 1000 };
  };

  return async (name, { path, method = 'GET', headers = {}, body }) => {
    const reply = await withToken(login, (token) =>
      askUpstream(
        {
          name,
          url: url + path,
          method,
          headers: { ...headers, authorization: `Bearer ${token}`, requestid: randomUUID() },
          body,
          timeoutMs,
        },
        gspEnvelope,
      ),
    );
    if (reply.status === 401) throw new UpstreamFault(502, 'The GST service provider refused our account.');
    return readGspResponse(reply.body);
  };
}
