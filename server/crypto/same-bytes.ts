import { createHmac, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time. */
export function sameBytes(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** HMAC-SHA256 of a message, in hex. */
export function hmacHex(key: string | Buffer, message: string | Buffer): string {
  return createHmac('sha256', key).update(message).digest('hex');
}
