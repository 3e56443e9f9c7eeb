import { z } from 'zod';
import { instantSchema, oneLine } from './values.ts';

/** The ceremonies of WebAuthn, which operators and members make in the same way. */

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});

const base64url = (most: number) =>
  z
    .string()
    .max(most, { abort: true })
    .regex(/^[\w-]*$/);
const credentialId = base64url(1400).min(1);

const knownPasskeys = z.array(z.object({ id: z.string(), type: z.literal('public-key') }));

/** What a browser adds itself is not read, so these are not strict. */
const credentialFields = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const registrationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: knownPasskeys,
  authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('required') }),
  attestation: z.literal('none'),
});

/** What a person calls a passkey. */
export const passkeyNameSchema = z.string().overwrite(oneLine).min(1, 'Enter a name, such as Laptop').max(60);

/** The result of `navigator.credentials.create`. */
export const createdCredentialSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
  }),
});

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const proofOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: knownPasskeys,
  userVerification: z.literal('required'),
});

/** The result of `navigator.credentials.get`. */
export const signedCredentialSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).nullish(),
  }),
});

export const provenSchema = z.object({ provenUntil: instantSchema });
