import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** CBOR (RFC 8949) of what authenticators write: byte strings, texts, and small numbers. */
const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
const cborNumber = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** What a dishonest browser or authenticator does otherwise. */
interface Fault {
  origin?: string;
  rpId?: string;
  challenge?: string;
  withoutUser?: boolean;
  counter?: number;
  key?: ReturnType<typeof newKey>;
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** An authenticator in software, with a key for ES256, as a browser hands its results to a page. */
export function testAuthenticator(origin: string) {
  const key = newKey();
  const credentialId = randomBytes(32);
  let counter = 0;
  const present = 1;
  const verified = 4;
  const attested = 64;

  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: fault.challenge ?? challenge,
        origin: fault.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authenticatorData = (rpId: string, flags: number, fault: Fault, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(fault.counter ?? (counter += 1));
    const said = fault.withoutUser ? flags : flags | verified;
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([said | present]), count, more]);
  };

  const credential = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' as const };

  return {
    /** `navigator.credentials.create` */
    create: ({ challenge, rp }: { challenge: string; rp: { id: string } }, fault: Fault = {}) => {
      const { x = '', y = '' } = key.publicKey.export({ format: 'jwk' });
      const publicKey = cborMap([
        [cborNumber(1), cborNumber(2)],
        [cborNumber(3), cborNumber(-7)],
        [cborNumber(-1), cborNumber(1)],
        [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ]);
      const made = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, publicKey]);
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(rp.id, attested, fault, made))],
      ]);
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, fault)),
        attestationObject: base64url(attestation),
      };
      return { ...credential, clientExtensionResults: {}, response };
    },
    /** `navigator.credentials.get` */
    get: ({ challenge, rpId }: { challenge: string; rpId: string }, fault: Fault = {}) => {
      const data = authenticatorData(rpId, 0, fault);
      const client = clientData('webauthn.get', challenge, fault);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), (fault.key ?? key).privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      };
      return { ...credential, clientExtensionResults: {}, response };
    },
    newKey,
  };
}
