import { BoundedMap } from '#shared/platform/bounded-map.ts';

/** Which headers pass from the caller to the product and back. Names are compared in lower case; request headers are also folded. */

/** Headers about one connection rather than the message (RFC 9110 §7.6.1), and those that frame a body. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Request headers that the product must not see or trust: the API key, cookies of other sites on this host, spoofed identities and client
 * addresses, and overrides of the method or path that was admitted.
 */
const strippedFromRequests = new Set([
  ...hopByHop,
  'host',
  'expect',
  'authorization',
  'x-api-key',
  'cookie',
  'x-request-id',
  'forwarded',
  'x-forwarded',
  'via',
  'x-real-ip',
  'client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-originating-ip',
  'x-remote-ip',
  'x-remote-addr',
  'remote-user',
  'x-remote-user',
  // CGI turns it into HTTP_PROXY, which many HTTP clients use as their proxy (httpoxy).
  'proxy',
  'x-host',
  'x-original-host',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-method',
  'x-http-path-override',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
]);
/**
 * Families of headers by which a proxy, an identity provider or a framework tells the API behind it who calls, with what certificate or from
 * where: X-Forwarded-*, Apache (mod_auth_openidc), nginx, Kong, Envoy, oauth2-proxy, Pomerium, Authelia, AWS, Azure, Google Cloud, Cloudflare,
 * Fly, Vercel, Next.js (CVE-2025-29927) and Kubernetes. An API that trusts one must not get it from a caller.
 */
const reservedPrefix = new RegExp(
  `^(?:${[
    'x-(?:octroi|forwarded|envoy|authenticated|consumer|credential|auth-request|webauth|pomerium|middleware|vercel|nextjs)-',
    'x-(?:remote|client-cert|client-dn|client-verify|ssl|arr|appengine|apigateway|endpoint-api-userinfo)(?:-|$)',
    'x-(?:amzn-(?:oidc|mtls|iot-device)|ms-(?:client-principal|token)|goog-(?:authenticated-user|iap))(?:-|$)',
    '(?:remote-user|remote-groups|remote-name|remote-email|oidc|ssl-client|client-cert|cf-access|cf-ipcountry|cf-worker|fly-client)(?:-|$)',
  ].join('|')})`,
);
/** Headers that the gateway itself reads. No other spelling passes, so that a product never reads a different value. */
const exactSpellingOnly = new Set(['content-length', 'content-type', 'content-encoding', 'idempotency-key']);

/** CGI and its descendants treat all separators in a name alike, so to them `X_Octroi.Plan` is `x-octroi-plan`. */
function foldName(lowerName: string): string {
  return lowerName.replaceAll(/[^a-z0-9]/g, '-');
}

/** Response headers that the gateway sets itself. */
const strippedFromResponses = new Set([
  ...hopByHop,
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'octroi-mode',
  'octroi-units',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  // Other addresses of the product's own server (RFC 7838), which callers neither reach nor should know.
  'alt-svc',
]);

const noNames: readonly string[] = [];

/** The headers that a Connection header limits to this hop (RFC 9110 §7.6.1). */
export function connectionOptions(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return noNames;
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

const maxCachedDecisions = 1000;

/** Caches the decision for each name: callers send the same names again and again. */
function cacheDecisions(passes: (lowerName: string) => boolean): (name: string) => boolean {
  const known = new BoundedMap<string, boolean>(maxCachedDecisions);
  return (name) => {
    let decision = known.get(name);
    if (decision === undefined) {
      decision = passes(name.toLowerCase());
      known.set(name, decision);
    }
    return decision;
  };
}

/** Whether a request header may pass to the product. Headers listed in Connection are filtered separately. */
export const isForProduct = cacheDecisions((name) => {
  const folded = foldName(name);
  if (strippedFromRequests.has(folded) || reservedPrefix.test(folded)) return false;
  return folded === name || !exactSpellingOnly.has(folded);
});

/** The same for one product: `pass` and `drop` come before the rules for all; a header in both is dropped. */
export function createHeaderFilter(pass: readonly string[], drop: readonly string[]): (name: string) => boolean {
  const passed = new Set(pass.map((name) => foldName(name.toLowerCase())));
  const dropped = new Set(drop.map((name) => foldName(name.toLowerCase())));
  return cacheDecisions((name) => {
    const folded = foldName(name);
    return !dropped.has(folded) && ((passed.has(folded) && folded === name) || isForProduct(name));
  });
}

const isForCaller = cacheDecisions((name) => !strippedFromResponses.has(name));

/** The request headers that pass to the product, as a flat list. `declared`: headers that Connection limits to this hop. */
export function headersForProduct(
  rawHeaders: readonly string[],
  declared: readonly string[],
  passes: (name: string) => boolean = isForProduct,
): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!passes(name) || (declared.length > 0 && declared.includes(name.toLowerCase()))) continue;
    passed.push(name, rawHeaders[index + 1] ?? '');
  }
  return passed;
}

/** A text, and its bytes as received. */
interface CachedText {
  bytes: Buffer;
  text: string;
}

const readNames = ['connection', 'transfer-encoding'] as const;

/** A header name, and whether it passes. */
interface CachedName extends CachedText {
  passes: boolean;
  /** In lower case, of a header that does not pass but is read here. */
  read: (typeof readNames)[number] | undefined;
  /** The last value: the next response usually repeats it. */
  value: CachedText | undefined;
}

const maxNamesPerLength = 16;
const maxCachedNameLength = 64;
/** Cached names by length. Comparing bytes with a few candidates is cheaper than decoding each name. */
const cachedNames: CachedName[][] = [];

/** Both must have the same length. */
function hasBytes({ bytes }: CachedText, other: Buffer): boolean {
  for (let index = bytes.length - 1; index >= 0; index -= 1) if (bytes[index] !== other[index]) return false;
  return true;
}

function nameOf(bytes: Buffer): CachedName {
  const ofLength = cachedNames[bytes.length] ?? [];
  for (const known of ofLength) if (hasBytes(known, bytes)) return known;
  const text = bytes.toString('latin1');
  const read = readNames.find((name) => name === text.toLowerCase());
  const known: CachedName = { bytes: Buffer.from(bytes), text, passes: isForCaller(text), read, value: undefined };
  if (ofLength.length < maxNamesPerLength && bytes.length < maxCachedNameLength)
    cachedNames[bytes.length] = [...ofLength, known];
  return known;
}

const maxCachedValueLength = 40;

function valueOf(name: CachedName, bytes: Buffer): string {
  const { value } = name;
  if (value?.bytes.length === bytes.length && hasBytes(value, bytes)) return value.text;
  const text = bytes.toString('latin1');
  if (bytes.length <= maxCachedValueLength) name.value = { bytes: Buffer.from(bytes), text };
  return text;
}

/** The headers of a product's response that pass to the caller, as a flat list. */
export function headersForCaller(rawHeaders: readonly Buffer[]): string[] {
  const passed: string[] = [];
  let declared: readonly string[] = noNames;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const bytes = rawHeaders[index];
    const value = rawHeaders[index + 1];
    if (bytes === undefined || value === undefined) break;
    const name = nameOf(bytes);
    if (name.passes) passed.push(name.text, valueOf(name, value));
    else if (name.read === 'connection') declared = connectionOptions(value.toString('latin1').toLowerCase());
    else if (name.read !== undefined && !isDecoded(value.toString('latin1'))) throw new UnknownTransferCoding();
  }
  return withoutDeclared(passed, declared);
}

/** The response's body is in a coding that only the hop to the product may have, and that the gateway can't decode (RFC 9112 §6.1). */
export class UnknownTransferCoding extends Error {
  constructor() {
    super('its response has a Transfer-Encoding other than chunked');
  }
}

const isDecoded = (transferEncoding: string): boolean => /^(?:chunked|identity)$/i.test(transferEncoding);

function withoutDeclared(headers: string[], declared: readonly string[]): string[] {
  if (declared.length === 0) return headers;
  return headers.filter((_part, index) => !declared.includes(headers[index - (index % 2)]?.toLowerCase() ?? ''));
}

/** The same for headers that are strings already. */
export function textHeadersForCaller(headers: readonly string[]): string[] {
  const passed: string[] = [];
  let declared = noNames;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (isForCaller(name)) passed.push(name, headers[index + 1] ?? '');
    else if (name.toLowerCase() === 'connection') declared = connectionOptions(headers[index + 1]?.toLowerCase());
  }
  return withoutDeclared(passed, declared);
}

/** Formats a flat list as header lines, each with its line end. */
export function formatHeaders(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

/** Turns formatted header lines back into a flat list. */
export function parseHeaders(lines: string): string[] {
  const headers: string[] = [];
  for (const line of lines.split('\r\n')) {
    const end = line.indexOf(': ');
    if (end !== -1) headers.push(line.slice(0, end), line.slice(end + 2));
  }
  return headers;
}

export function isContentLength(name: string): boolean {
  return name.length === 14 && (name === 'Content-Length' || name.toLowerCase() === 'content-length');
}

/**
 * Puts Content-Length last, because Node changes the bytes of a Content-Disposition that follows one, or throws. `length`: the actual length of
 * the body, if it is known.
 */
export function withLengthLast(head: readonly string[], length?: number): string[] {
  const headers: string[] = [];
  let given: string | undefined;
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index] ?? '';
    if (isContentLength(name)) given = head[index + 1];
    else headers.push(name, head[index + 1] ?? '');
  }
  const value = length === undefined ? given : String(length);
  if (value !== undefined) headers.push('Content-Length', value);
  return headers;
}
