/**
 * API keys: `gstk_live_` or `gstk_test_` + 30 random base62 characters + 6 characters of checksum (CRC-32 of the random
 * part in base62), so that a mistyped or invented key is refused without a database query. Only the SHA-256 of a key is
 * stored.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const livePrefix = 'gstk_live_';
const testPrefix = 'gstk_test_';
const prefixLength = livePrefix.length;

/** The longest overlap of a replaced key and its successor, in hours. */
export const longestOverlapHours = 7 * 24;
/** How many addresses and networks a key may be restricted to. */
export const maxAllowedIps = 50;

/** Maximum number of a customer's active keys, over all activations; and of those that were replaced and still work. */
export const maxActiveKeys = 20;
/** Maximum number of keys that a customer makes in a day (IST), over all activations: ended keys are kept for good. */
export const maxKeysPerDay = 200;
/** How many ended keys of an activation are listed: those that ended last. */
export const maxEndedKeys = 100;

/** The lifetime of the test key with which the reference tries calls. */
export const tryKeyMs = 3_600_000;

/** Its name: the first that no active key has, of which there are at most `maxActiveKeys`. */
export function tryKeyName(taken: ReadonlySet<string>): string {
  let name = 'try';
  for (let number = 2; taken.has(name); number += 1) name = `try${number}`;
  return name;
}

/** An API key's name: 1 to 5 lowercase letters and digits (product §5.1). */
export const keyNameMaxLength = 5;

/** Lowercases and cuts the input for a key name (product §5.1). */
export function typedKeyName(text: string): string {
  return text.toLowerCase().slice(0, keyNameMaxLength);
}

/** The error in a key name, or undefined. The sentences are the specification's. */
export function keyNameFault(name: string): string | undefined {
  if (name.length > keyNameMaxLength) return 'Key name must be 5 characters or less';
  if (!/^[a-z0-9]*$/.test(name)) return 'Key name must be lowercase alphanumeric only';
  if (name === '') return 'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)';
  return undefined;
}

/**
 * Creates a key from random bytes: at least 60, of which bytes above 247 are skipped so that each character is equally
 * likely.
 */
export function makeApiKey(randomBytes: Uint8Array, test = false): string {
  const random = [...randomBytes]
    .filter((byte) => byte < 248)
    .slice(0, randomLength)
    .map((byte) => alphabet[byte % 62])
    .join('');
  if (random.length < randomLength) throw new RangeError('too few random bytes for an API key');
  return (test ? testPrefix : livePrefix) + random + checksum(random);
}

/** True when the format and the checksum are those of our keys. Does not check whether the key exists. */
export function isWellFormedApiKey(key: string): boolean {
  const body = key.slice(prefixLength);
  if (!(key.startsWith(livePrefix) || key.startsWith(testPrefix)) || body.length !== randomLength + checksumLength)
    return false;
  const random = body.slice(0, randomLength);
  return /^[0-9A-Za-z]+$/.test(random) && checksum(random) === body.slice(randomLength);
}

/** Whether a well-formed key is one for test calls. */
export function isTestKey(key: string): boolean {
  return key.startsWith(testPrefix);
}

/** The last four characters, by which a customer recognises a key in a list. */
export function keyHint(key: string): string {
  return key.slice(-4);
}

/** How many characters of a key an operator may see: `gstk_live_` and six of the random ones. */
export const keyPrefixLength = prefixLength + 6;

/** The first characters, by which an operator finds a key that leaked. */
export function keyPrefix(key: string): string {
  return key.slice(0, keyPrefixLength);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = (alphabet[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) of an ASCII text, as an unsigned number. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
