import { type KeyObject, sign } from 'node:crypto';

/** A private key that signs documents, wherever it lies. */
export interface SigningKey {
  kind: 'rsa' | 'ec';
  /** Signs the SHA-256 of the data: RSA as PKCS #1 v1.5, ECDSA as DER. Throws KeyFault. */
  sign: (data: Buffer) => Promise<Buffer>;
  /** Why it doesn't sign at the moment; undefined when it does, as far as is known. */
  fault: () => string | undefined;
}

/** The key did not sign: its token is away, busy or locked. */
export class KeyFault extends Error {}

export function keyOfFile(key: KeyObject): SigningKey {
  return {
    kind: key.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec',
    sign: async (data) => sign('sha256', data, key),
    fault: () => undefined,
  };
}
