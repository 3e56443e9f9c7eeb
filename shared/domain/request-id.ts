/**
 * Request ids: `req_` and 120 random bits, as two halves of ten base64url characters (RFC 4648 §5) with a hyphen
 * between them. In halves, since twenty letters and digits in a row look like a GSTIN once in 40,000 times.
 */

/** The size of an id in bytes. */
export const requestIdBytes = 15;

/** The base64url digits by value. */
export const requestIdDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** In characters. */
export const requestIdLength = 25;
/** Where in an id its twenty digits are. */
export const requestIdPlaces: readonly number[] = [
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
];

const values = new Uint8Array(128);
for (let value = 0; value < requestIdDigits.length; value += 1) values[requestIdDigits.charCodeAt(value)] = value;

/** Three bytes from the digits at four positions of an id. */
function writeGroup(id: string, a: number, b: number, c: number, d: number, bytes: Uint8Array, place: number): void {
  const high = ((values[id.charCodeAt(a)] ?? 0) << 6) | (values[id.charCodeAt(b)] ?? 0);
  const low = ((values[id.charCodeAt(c)] ?? 0) << 6) | (values[id.charCodeAt(d)] ?? 0);
  bytes[place] = high >>> 4;
  bytes[place + 1] = (high << 4) | (low >>> 8);
  bytes[place + 2] = low;
}

/**
 * Writes the bytes of an id at `offset`. Meaningless for any other text. Unrolled, which takes a tenth of a loop's
 * time.
 */
export function writeRequestId(id: string, bytes: Uint8Array, offset: number): void {
  writeGroup(id, 4, 5, 6, 7, bytes, offset);
  writeGroup(id, 8, 9, 10, 11, bytes, offset + 3);
  writeGroup(id, 12, 13, 15, 16, bytes, offset + 6);
  writeGroup(id, 17, 18, 19, 20, bytes, offset + 9);
  writeGroup(id, 21, 22, 23, 24, bytes, offset + 12);
}

/** The bytes of an id as they stand in records. */
export function bytesOfRequestId(id: string): Uint8Array {
  const bytes = new Uint8Array(requestIdBytes);
  writeRequestId(id, bytes, 0);
  return bytes;
}

/** The id whose bytes begin at `offset`. */
export function readRequestId(bytes: Uint8Array, offset: number): string {
  let text = '';
  for (let index = offset; index < offset + requestIdBytes; index += 3) {
    const bits = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += requestIdDigits[(bits >>> shift) & 63];
  }
  return `req_${text.slice(0, 10)}-${text.slice(10)}`;
}
