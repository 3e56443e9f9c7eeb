import { createHmac, timingSafeEqual } from 'node:crypto';

/** Are two secrets the same? In time that tells nothing of where they differ. */
export function sameBytes(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Hex HMAC-SHA256 of a message under a key. */
export function hmacHex(key: string | Buffer, message: string | Buffer): string {
  return createHmac('sha256', key).update(message).digest('hex');
}
