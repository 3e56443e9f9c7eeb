import { timingSafeEqual } from 'node:crypto';

/** The exact header of a key pair: `Basic base64(key_id:key_secret)`. */
export function basicAuthHeader(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
}

/** Razorpay accepts no other spelling of the scheme, so the whole header is compared. */
export function hasKeyPair(header: string | undefined, keyId: string, keySecret: string): boolean {
  const expected = Buffer.from(basicAuthHeader(keyId, keySecret));
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
