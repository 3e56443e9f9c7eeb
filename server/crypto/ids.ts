import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32, without characters that look alike. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

type Prefix =
  | 'CUS'
  | 'MEM'
  | 'INV'
  | 'JNR'
  | 'OWN'
  | 'APR'
  | 'OPR'
  | 'OTK'
  | 'PSK'
  | 'ACN'
  | 'ACT'
  | 'CLM'
  | 'CYC'
  | 'ORD'
  | 'RFD'
  | 'KEY'
  | 'MAN'
  | 'DOC'
  | 'MSG'
  | 'ERQ'
  | 'SPF'
  | 'SPM'
  | 'SPN'
  | 'CAN'
  | 'SUP'
  | 'TDS'
  | 'TRF'
  | 'TRM'
  | 'WHK'
  | 'EVT'
  | 'DLV';

/** A new id such as ACT-7K2M9QX4TB: prefix and 12 random characters (60 bits); 10 for activations, which people read aloud. */
export function newId(prefix: Prefix): string {
  const length = prefix === 'ACT' ? 10 : 12;
  return `${prefix}-${[...randomBytes(length)].map((byte) => alphabet[byte % 32]).join('')}`;
}

/** An id that follows from what it stands for: the same one again in a database that has lost it. */
export function derivedId(prefix: Prefix, from: string): string {
  return `${prefix}-${[...sha256(from).subarray(0, 12)].map((byte) => alphabet[byte % 32]).join('')}`;
}

/** SHA-256; tokens, nonces and keys are stored as this. */
export function sha256(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}
