import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 14 case-sensitive letters and digits, as after every Razorpay prefix. */
export function randomId(): string {
  return Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The merchant account named in webhooks. */
export const accountId = 'acc_LOCALTEST00001';
