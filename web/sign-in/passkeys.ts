import type { z } from 'zod';
import {
  createdCredentialSchema,
  type proofOptionsSchema,
  type registrationOptionsSchema,
  signedCredentialSchema,
} from '#shared/contract/passkeys.ts';

/** Makes a passkey of this device, or of a key that is plugged in. */
export async function createPasskey(options: z.output<typeof registrationOptionsSchema>) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return asJson(await navigator.credentials.create({ publicKey }), createdCredentialSchema);
}

/** Signs with a passkey. */
export async function signWithPasskey(options: z.output<typeof proofOptionsSchema>) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return asJson(await navigator.credentials.get({ publicKey }), signedCredentialSchema);
}

/** The credential as the contract takes it. */
function asJson<Json>(credential: Credential | null, schema: { parse: (json: unknown) => Json }): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey');
  return schema.parse(credential.toJSON());
}
