import { BoundedMap } from '#platform/bounded-map.ts';

/** Which headers pass from the caller to the product and back. Names are compared in lower case, those of callers folded besides. */

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

/**
 * What the product must not learn or believe: the key, cookies of other sites on this host, who somebody claims to be, and another
 * method or address than the one that was admitted.
 */
const fromCaller = new Set([
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
  // CGI reads it as HTTP_PROXY, by which many clients choose whom they call through.
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
const claimed = /^x-(?:octroi|forwarded)-/;
/** What the gateway itself goes by: these pass in their own spelling only, so that no product reads another value. */
const meant = new Set(['content-length', 'content-type', 'content-encoding', 'idempotency-key']);

/** CGI and its many heirs read every separator in a name as the same one, so `X_Octroi.Plan` is `x-octroi-plan` to them. */
function foldName(lowerName: string): string {
  return lowerName.replaceAll(/[^a-z0-9]/g, '-');
}

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

const noNames: readonly string[] = [];

/** The names that a Connection field declares to belong to this hop alone. */
export function declaredHops(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return noNames;
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

const mostNames = 1000;

/** Names come again and again as the same text, so that what becomes of each is worked out once. */
function remembering(passes: (lowerName: string) => boolean): (name: string) => boolean {
  const known = new BoundedMap<string, boolean>(mostNames);
  return (name) => {
    let answer = known.get(name);
    if (answer === undefined) {
      answer = passes(name.toLowerCase());
      known.set(name, answer);
    }
    return answer;
  };
}

/** Does a field of a caller, unless it belongs to one hop by declaration, go on to the product? */
export const isForProduct = remembering((name) => {
  const folded = foldName(name);
  if (fromCaller.has(folded) || claimed.test(folded)) return false;
  return folded === name || !meant.has(folded);
});
const goesToCaller = remembering((name) => !fromProduct.has(name));

/** The fields of a caller that go on to the product, as a flat list; `declared`: what its Connection field says belongs to its own hop. */
export function headersForProduct(rawHeaders: readonly string[], declared: readonly string[]): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isForProduct(name) || (declared.length > 0 && declared.includes(name.toLowerCase()))) continue;
    passed.push(name, rawHeaders[index + 1] ?? '');
  }
  return passed;
}

/** A text with the bytes that it came as. */
interface KnownText {
  bytes: Buffer;
  text: string;
}

/** A name as it came, and what becomes of its field. */
interface KnownName extends KnownText {
  passes: boolean;
  /** The last value, which comes again with the next answer more often than not. */
  value: KnownText | undefined;
}

const mostOfLength = 16;
const longestKnown = 64;
/** Names by their lengths, of which there are a few: telling them by their bytes costs less than making a text of each that comes. */
const knownNames: KnownName[][] = [];

/** Of the same length. */
function hasBytes({ bytes }: KnownText, other: Buffer): boolean {
  for (let index = bytes.length - 1; index >= 0; index -= 1) if (bytes[index] !== other[index]) return false;
  return true;
}

function nameOf(bytes: Buffer): KnownName {
  const ofLength = knownNames[bytes.length] ?? [];
  for (const known of ofLength) if (hasBytes(known, bytes)) return known;
  const text = bytes.toString('latin1');
  const known = { bytes: Buffer.from(bytes), text, passes: goesToCaller(text), value: undefined };
  if (ofLength.length < mostOfLength && bytes.length < longestKnown) knownNames[bytes.length] = [...ofLength, known];
  return known;
}

const longestKnownValue = 40;

function valueOf(name: KnownName, bytes: Buffer): string {
  const { value } = name;
  if (value?.bytes.length === bytes.length && hasBytes(value, bytes)) return value.text;
  const text = bytes.toString('latin1');
  if (bytes.length <= longestKnownValue) name.value = { bytes: Buffer.from(bytes), text };
  return text;
}

/** The fields of a product's answer that go back to the caller, as a flat list. */
export function headersForCaller(rawHeaders: readonly Buffer[]): string[] {
  const passed: string[] = [];
  let declared: readonly string[] = noNames;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [bytes, value] = [rawHeaders[index], rawHeaders[index + 1]];
    if (bytes === undefined || value === undefined) break;
    const name = nameOf(bytes);
    if (name.passes) passed.push(name.text, valueOf(name, value));
    else if (name.text.length === 10 && name.text.toLowerCase() === 'connection') {
      declared = declaredHops(value.toString('latin1').toLowerCase());
    }
  }
  if (declared.length === 0) return passed;
  return passed.filter((_part, index) => !declared.includes(passed[index - (index % 2)]?.toLowerCase() ?? ''));
}

/** The same for fields that are texts already. */
export function fieldsForCaller(fields: readonly string[]): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index] ?? '';
    if (goesToCaller(name)) passed.push(name, fields[index + 1] ?? '');
  }
  return passed;
}

/** Fields as the lines in which they are sent, each with its line end; `fields`: a flat list. */
export function linesOf(fields: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < fields.length; index += 2) lines += `${fields[index]}: ${fields[index + 1]}\r\n`;
  return lines;
}

/** The same as a flat list again. */
export function fieldsOf(lines: string): string[] {
  const fields: string[] = [];
  for (const line of lines.split('\r\n')) {
    const end = line.indexOf(': ');
    if (end !== -1) fields.push(line.slice(0, end), line.slice(end + 2));
  }
  return fields;
}

/** The values of each name, in lower case, of a flat list. Without a prototype, as Node's own: a field may be called `constructor`. */
export function groupedByName(fields: readonly string[]): NodeJS.Dict<string[]> {
  const values: NodeJS.Dict<string[]> = Object.create(null);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = (fields[index] ?? '').toLowerCase();
    (values[name] ??= []).push(fields[index + 1] ?? '');
  }
  return values;
}

export function isContentLength(name: string): boolean {
  return name.length === 14 && (name === 'Content-Length' || name.toLowerCase() === 'content-length');
}

/** Fields with the true length of an answer that is known whole, whatever they said of it. */
export function withLength(head: readonly string[], length: number): string[] {
  const fields: string[] = [];
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index] ?? '';
    if (!isContentLength(name)) fields.push(name, head[index + 1] ?? '');
  }
  fields.push('Content-Length', String(length));
  return fields;
}
