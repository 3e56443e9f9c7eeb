import { lookup as systemLookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

interface Address {
  address: string;
  family: number;
}

export interface OutboundOptions {
  /** Development: plain http to this machine is allowed as well. */
  toLoopback: boolean;
  /** For the whole exchange, finding the address included. */
  timeoutMs?: number;
  /** All addresses of a name; the system's resolver by default. */
  resolve?: (hostname: string) => Promise<Address[]>;
}

/** What came of a request: an answer, or why there is none. */
export interface Answered {
  durationMs: number;
  status?: number;
  /** How the body begins. */
  responseStart?: string;
  fault?: string;
}

/** Requests to addresses that a customer named: never inward, never further than the address says. */
export interface Outbound {
  /** Why an address may not be used; undefined when it may. */
  faultOf: (url: string) => Promise<string | undefined>;
  /** Posts to it. Never throws for what the other side does or leaves undone. */
  post: (url: string, headers: Record<string, string>, body: string) => Promise<Answered>;
}

/** Refuses an address; its message is for the customer and tells nothing of what is inside. */
class Forbidden extends Error {}

const inwardMessage = 'the address does not lead to the public internet';
const startBytes = 1000;
const defaultTimeoutMs = 10_000;

/**
 * Makes the way out. A name is resolved once, every one of its addresses must be public, and the connection goes to just those
 * addresses: a name that answers differently the next moment (DNS rebinding) changes nothing. Redirects are not followed, and
 * no more than the beginning of an answer is read.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { toLoopback, timeoutMs = defaultTimeoutMs, resolve = resolveAll } = options;

  const check = async (text: string): Promise<{ url: URL; addresses: Address[] }> => {
    const url = readUrl(text);
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(hostname);
    const addresses = family === 0 ? await resolve(hostname).catch(() => []) : [{ address: hostname, family }];
    if (addresses.length === 0) throw new Forbidden('the name of the address was not found');
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
        // A name that was found too late must not lead to a request that nobody waits for.
        if (state.isOver) throw new Forbidden('too late');
        return send(url, addresses, headers, body, (request) => (state.request = request));
      };
      try {
        const answer = await within(timeoutMs, exchange());
        return { ...answer, durationMs: durationMs() };
      } catch (error) {
        return { durationMs: durationMs(), fault: faultText(error) };
      } finally {
        state.isOver = true;
        state.request?.destroy();
      }
    },
  };
}

function resolveAll(hostname: string): Promise<Address[]> {
  return systemLookup(hostname, { all: true });
}

/** The URL parser writes every spelling of an IPv4 address (octal, hexadecimal, one number) as four decimals. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Forbidden('the address must begin with https://');
  }
  if (url.username !== '' || url.password !== '') throw new Forbidden('the address must not hold a name or password');
  return url;
}

function send(
  url: URL,
  addresses: Address[],
  headers: Record<string, string>,
  body: string,
  started: (request: ClientRequest) => void,
): Promise<{ status: number; responseStart: string }> {
  // Whatever name is asked for, the connection goes to the addresses that were checked.
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

/** The first bytes of an answer; the rest is not waited for. */
async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    if (!Buffer.isBuffer(part)) continue;
    parts.push(part);
    length += part.length;
    if (length >= startBytes) break;
  }
  // PostgreSQL keeps no NUL in a text.
  return Buffer.concat(parts).subarray(0, startBytes).toString('utf8').replaceAll('\0', '');
}

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Forbidden(`no answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
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
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

/** For the customer: what happened, and nothing of how it looks inside. */
function faultText(error: unknown): string {
  if (error instanceof Forbidden) return error.message;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return codes[code] ?? 'the request failed';
}
