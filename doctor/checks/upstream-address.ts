import { Agent, request } from 'undici';
import { z } from 'zod';
import { fault, type Finding, warning } from '#doctor/finding.ts';
import { replyTimeoutMs } from '#doctor/installation.ts';
import type { GatewayCode } from '#shared/domain/metering.ts';
import { settingName } from '#gateway/config.ts';
import type { UpstreamTls } from '#gateway/upstream/upstream-options.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { envName } from '#shared/platform/read-config.ts';
import { reasonOf } from '#shared/platform/reason.ts';

export const whereSet = (ids: readonly string[]): string =>
  `upstreamUrl in the catalogue, or the setting (${ids.map((id) => envName(settingName('upstream', id))).join(', ')}, or SANDBOX_…)`;

export function comesBack(url: string, ids: readonly string[]): Finding {
  return fault(
    `The address of ${ids.join(' and ')}, ${url}, is that of the gateway itself.`,
    'Each call comes back to it without key and API, and gets 404 (path-unknown), or 401 (key-missing) if the address names an API. The 404s are counted, so customers lose quota for nothing.',
    `Set the address of the API: ${whereSet(ids)}.`,
  );
}

/** Another provider's gateway is a gateway of Octroi too. */
export function perhapsComesBack(url: string, ids: readonly string[]): Finding {
  return warning(
    `At the address of ${ids.join(' and ')}, ${url}, a gateway of Octroi answers.`,
    'If it is this one, each call comes back to it without key and API, and customers lose quota for nothing.',
    `If it is this one, set the address of the API: ${whereSet(ids)}.`,
  );
}

/** Why TLS to an API fails, if it is the certificate; all of OpenSSL's and Node's reasons then say so. */
export function certificateFault(error: unknown): string | undefined {
  const reason = reasonOf(error);
  return /certificate/i.test(reason) ? reason : undefined;
}

export const trustItsCertificate =
  'Give the PEM file of the authority that issued its certificate as gateway.tls.ca in the catalogue, or give that API a certificate that is valid for this name, with its whole chain. If it asks the gateway for one, set certificate and key there.';

/** What a gateway replies to a call without a key: there is no API at this path, or there is one. */
const gatewayReply = z.object({ code: z.enum(['path-unknown', 'key-missing'] satisfies GatewayCode[]) });

/** In bytes; a problem is shorter. */
const mostRead = 64 * 1024;

/** Asks an API, or what is in its place. */
export async function askUpstream(url: string, tls?: UpstreamTls): Promise<{ status: number; isGateway: boolean }> {
  const signal = AbortSignal.timeout(replyTimeoutMs);
  const dispatcher = new Agent({ connect: { ...tls, timeout: replyTimeoutMs } });
  try {
    const { statusCode: status, headers, body } = await request(url, { signal, dispatcher });
    if (!String(headers['content-type']).startsWith('application/problem+json')) {
      await body.dump();
      return { status, isGateway: false };
    }
    let read = '';
    for await (const chunk of body) {
      read += String(chunk);
      if (read.length > mostRead) break;
    }
    return { status, isGateway: gatewayReply.safeParse(parseJson(read)).success };
  } finally {
    await dispatcher.destroy();
  }
}
