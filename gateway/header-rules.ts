/** Which header fields pass from the caller to the product and back. Names are compared in lower case. */

/** Fields about one connection, not about the message (RFC 9110 §7.6.1), and those that decide how a body is framed. */
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

/** What the product must not learn or believe: the key, cookies of other sites on this host, and who somebody claims to be. */
const fromCaller = new Set([
  ...hopByHop,
  'host',
  'expect',
  'authorization',
  'x-api-key',
  'cookie',
  'x-request-id',
  'forwarded',
  'via',
]);
const claimed = /^x-(?:octroi|forwarded)-/;

/** What the gateway says itself. */
const fromProduct = new Set([
  ...hopByHop,
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'octroi-mode',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-credentials',
]);

/** The names that a Connection field declares to belong to this hop alone. */
function declaredHops(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

const mostNames = 1000;

/** Names come again and again as the same text, so that what becomes of each is worked out once. */
function remembering(passes: (lowerName: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let answer = known.get(name);
    if (answer === undefined) {
      answer = passes(name.toLowerCase());
      if (known.size < mostNames) known.set(name, answer);
    }
    return answer;
  };
}

/** Does a field of a caller, unless it belongs to one hop by declaration, go on to the product? */
export const isForProduct = remembering((name) => !fromCaller.has(name) && !claimed.test(name));
const goesToCaller = remembering((name) => !fromProduct.has(name));

/** The fields of a caller that go on to the product, as a flat list. */
export function headersForProduct(rawHeaders: readonly string[], connection: string | undefined): string[] {
  const declared = declaredHops(connection);
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isForProduct(name) || (declared.length > 0 && declared.includes(name.toLowerCase()))) continue;
    passed.push(name, rawHeaders[index + 1] ?? '');
  }
  return passed;
}

/** The fields of a product's answer that go back to the caller, as a flat list. */
export function headersForCaller(rawHeaders: readonly Buffer[]): string[] {
  const passed: string[] = [];
  let declared: readonly string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toString('latin1') ?? '';
    if (goesToCaller(name)) passed.push(name, rawHeaders[index + 1]?.toString('latin1') ?? '');
    else if (name.length === 10 && name.toLowerCase() === 'connection') {
      declared = declaredHops(rawHeaders[index + 1]?.toString('latin1').toLowerCase());
    }
  }
  if (declared.length === 0) return passed;
  return passed.filter((_part, index) => !declared.includes(passed[index - (index % 2)]?.toLowerCase() ?? ''));
}

/** The same for fields that are texts already. */
export function fieldsForCaller(fields: readonly string[]): string[] {
  return fields.filter((_part, index) => goesToCaller(fields[index - (index % 2)] ?? ''));
}

/** Tells the length of an answer that is known whole, which saves the frames of a chunked one. */
export function addLength(head: string[], method: string, status: number, length: number): void {
  if (method === 'HEAD' || status === 204 || status === 304) return;
  for (let index = 0; index < head.length; index += 2) {
    const name = head[index] ?? '';
    if (name.length === 14 && name.toLowerCase() === 'content-length') return;
  }
  head.push('Content-Length', String(length));
}
