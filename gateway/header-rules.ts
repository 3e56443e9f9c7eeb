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

/** The fields of a caller that go on to the product, as a flat list. */
export function headersForProduct(rawHeaders: readonly string[], connection: string | undefined): string[] {
  const declared = declaredHops(connection);
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (fromCaller.has(lower) || claimed.test(lower) || declared.includes(lower)) continue;
    passed.push(name, rawHeaders[index + 1] ?? '');
  }
  return passed;
}

/** The fields of a product's answer that go back to the caller, as a flat list. */
export function headersForCaller(rawHeaders: readonly (Buffer | string)[]): string[] {
  const texts = rawHeaders.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  const connection = texts.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'connection');
  const declared = connection === -1 ? [] : declaredHops(texts[connection + 1]?.toLowerCase());
  const passed: string[] = [];
  for (let index = 0; index + 1 < texts.length; index += 2) {
    const name = texts[index] ?? '';
    const lower = name.toLowerCase();
    if (fromProduct.has(lower) || declared.includes(lower)) continue;
    passed.push(name, texts[index + 1] ?? '');
  }
  return passed;
}
