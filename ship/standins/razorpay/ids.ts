import { createHash, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 14 case-sensitive letters and digits, as after every Razorpay prefix. */
export function randomId(): string {
  return Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The same 14 characters for the same text, for an id that follows from another one. */
export function idFrom(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 14);
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** The merchant account named in webhooks. */
export const accountId = 'acc_LOCALTEST00001';
