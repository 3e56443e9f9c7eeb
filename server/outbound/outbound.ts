import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { traced } from '#shared/platform/tracing.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import { type Address, resolveHostname } from './resolve-hostname.ts';

export interface OutboundOptions {
  /** Development: also allow plain http to this machine. */
  toLoopback: boolean;
  /** Timeout for the whole exchange, DNS included. */
  timeoutMs?: number;
  /** Resolves a hostname to all its addresses; default: the machine's nameservers. */
  resolve?: (hostname: string) => Promise<Address[]>;
}

/** The result of a request: a response, or why there is none. */
export interface OutboundResult {
  durationMs: number;
  status?: number;
  /** The beginning of the body. */
  responseStart?: string;
  fault?: string;
}

/** Requests to URLs that customers entered: only to the public internet, without following redirects (SSRF). */
export interface Outbound {
  /** Why a URL may not be used; undefined when it may. */
  faultOf: (url: string) => Promise<string | undefined>;
  /** Sends a POST request. Never throws because of what the receiver does. */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<OutboundResult>;
}

/** The URL is refused; the message is for the customer and reveals nothing about the internal network. */
class Forbidden extends Error {}

const inwardMessage = 'the address is not on the public internet';
const startBytes = 1000;
const defaultTimeoutMs = 10_000;

/**
 * Creates the outbound client. It resolves a hostname once, requires all its addresses to be public, and connects to exactly those
 * addresses, so that DNS rebinding has no effect. It does not follow redirects and reads only the beginning of a response.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { toLoopback, timeoutMs = defaultTimeoutMs, resolve = resolveHostname } = options;

  const check = async (text: string): Promise<{ url: URL; addresses: Address[] }> => {
    const url = readUrl(text);
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(hostname);
    const addresses = family === 0 ? await resolve(hostname).catch(() => []) : [{ address: hostname, family }];
    if (addresses.length === 0) throw new Forbidden('the hostname was not found');
    const isLocal = toLoopback && addresses.every(({ address }) => isLoopbackAddress(address));
    if (!isLocal && !addresses.every(({ address }) => isPublicAddress(address))) throw new Forbidden(inwardMessage);
    if (url.protocol !== 'https:' && !isLocal) throw new Forbidden('the address must begin with https://');
    return { url, addresses };
  };

  return {
    faultOf: async (text) => {
      try {
        await within(timeoutMs, check(text));
        return undefined;
      } catch (error) {
        return faultText(error);
      }
    },
    post: async (text, headers, body) => {
      const began = performance.now();
      const durationMs = () => Math.round(performance.now() - began);
      const state: { request?: ClientRequest; isOver: boolean } = { isOver: false };
      const exchange = async () => {
        const { url, addresses } = await check(text);
        // Resolved after the timeout: do not send a request whose response is not awaited.
        if (state.isOver) throw new Forbidden('too late');
        return send(url, addresses, headers, body, (request) => (state.request = request));
      };
      try {
        const result = await traced('send webhook', { kind: 'client' }, () => within(timeoutMs, exchange()));
        return { ...result, durationMs: durationMs() };
      } catch (error) {
        return { durationMs: durationMs(), fault: faultText(error) };
      } finally {
        state.isOver = true;
        state.request?.destroy();
      }
    },
  };
}

/** The URL parser normalises every spelling of an IPv4 address (octal, hexadecimal, a single number) to four decimals. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Forbidden('the address must begin with https://');
  }
  if (url.username !== '' || url.password !== '')
    throw new Forbidden('the address must not contain a user name or password');
  return url;
}

function send(
  url: URL,
  addresses: Address[],
  headers: Record<string, string>,
  body: string,
  started: (request: ClientRequest) => void,
): Promise<{ status: number; responseStart: string }> {
  // Whatever hostname is asked for, connect to the addresses that were checked.
  const pinned: LookupFunction = (_hostname, lookup, done) => {
    const [first] = addresses;
    if (lookup.all) done(null, addresses);
    else done(null, first?.address ?? '', first?.family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: pinned,
        maxHeaderSize: 16_384,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        readStart(response).then(
          (responseStart) => resolve({ status: response.statusCode ?? 0, responseStart }),
          reject,
        );
      },
    );
    started(request);
    request.once('error', reject);
    request.end(body);
  });
}

/** The first bytes of a response; does not wait for the rest. */
async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    if (!Buffer.isBuffer(part)) continue;
    parts.push(part);
    length += part.length;
    if (length >= startBytes) break;
  }
  // PostgreSQL cannot store NUL in text.
  return Buffer.concat(parts).subarray(0, startBytes).toString('utf8').replaceAll('\0', '');
}

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Forbidden(`no response within ${timeoutMs / 1000} seconds`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

const codes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'connecting timed out',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another hostname',
};

/** For the customer: what happened, without details of the internal network. */
function faultText(error: unknown): string {
  if (error instanceof Forbidden) return error.message;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return codes[code] ?? 'the request failed';
}
