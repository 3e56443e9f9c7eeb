import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { doneSchema, instantSchema, oneLine } from '#shared/contract/values.ts';
import { operatorRoles } from './roles.ts';

const operatorSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(operatorRoles),
});

const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});

/** Signs in whoever an owner has added, by address or by Workspace domain; the token holds a nonce of createSignInNonce. */
export const signInOperator = defineCall({
  name: 'signInOperator',
  summary: 'Sign in as an operator with a Google identity token',
  method: 'POST',
  path: '/operator/session',
  auth: 'none',
  body: z.strictObject({ googleIdToken: z.string().min(1).max(8000) }),
  reply: z.object({ accessToken: z.string(), operator: operatorSchema }),
  refusals: ['sign_in_failed', 'not_an_operator', 'address_not_proven', 'too_many_requests'],
});

export const readOperatorSession = defineCall({
  name: 'readOperatorSession',
  summary: 'Get the signed-in operator, and what the role may do',
  method: 'GET',
  path: '/operator/session',
  auth: 'operator',
  reply: z.object({
    operator: operatorSchema,
    /** The names of the calls that the operator may make. */
    calls: z.array(z.string()),
    passkeys: z.array(passkeySchema),
    /** Until when calls that need a passkey are open; null when they are not. */
    provenUntil: instantSchema.nullable(),
    /** What is on sale: names by id. */
    products: z.record(z.string(), z.string()),
  }),
  refusals: [],
});

export const signOutOperator = defineCall({
  name: 'signOutOperator',
  summary: 'End this session of an operator on the server',
  method: 'DELETE',
  path: '/operator/session',
  auth: 'operator',
  reply: doneSchema,
  refusals: [],
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
export const beginPasskey = defineCall({
  name: 'beginPasskey',
  summary: 'Begin to add a passkey; the options are for navigator.credentials.create',
  method: 'POST',
  path: '/operator/passkeys/options/register',
  auth: 'operator',
  reply: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    excludeCredentials: knownPasskeys,
    authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('required') }),
    attestation: z.literal('none'),
  }),
  refusals: ['passkey_required', 'refused'],
});

/** Adding a second one needs a proof with the first. */
export const addPasskey = defineCall({
  name: 'addPasskey',
  summary: 'Add a passkey: the result of navigator.credentials.create, as its toJSON gives it',
  method: 'POST',
  path: '/operator/passkeys',
  auth: 'operator',
  body: z.strictObject({
    name: z.string().overwrite(oneLine).min(1, 'Enter a name, such as Laptop').max(60),
    credential: z.object({
      ...credentialFields,
      response: z.object({
        clientDataJSON: base64url(4000),
        attestationObject: base64url(20_000),
      }),
    }),
  }),
  reply: passkeySchema,
  refusals: ['passkey_required', 'refused'],
});

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const beginProof = defineCall({
  name: 'beginProof',
  summary: 'Begin to confirm with a passkey; the options are for navigator.credentials.get',
  method: 'POST',
  path: '/operator/passkeys/options/prove',
  auth: 'operator',
  reply: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    allowCredentials: knownPasskeys,
    userVerification: z.literal('required'),
  }),
  refusals: ['refused'],
});

export const provePasskey = defineCall({
  name: 'provePasskey',
  summary: 'Confirm with a passkey: the result of navigator.credentials.get; opens what needs one for 15 minutes',
  method: 'POST',
  path: '/operator/passkeys/proof',
  auth: 'operator',
  body: z.strictObject({
    credential: z.object({
      ...credentialFields,
      response: z.object({
        clientDataJSON: base64url(4000),
        authenticatorData: base64url(4000),
        signature: base64url(4000),
        userHandle: base64url(200).nullish(),
      }),
    }),
  }),
  reply: z.object({ provenUntil: instantSchema }),
  refusals: ['refused'],
});

export const removePasskey = defineCall({
  name: 'removePasskey',
  summary: 'Remove a passkey, and end the other sessions of the operator',
  method: 'DELETE',
  path: '/operator/passkeys/:passkeyId',
  auth: 'operator',
  params: z.object({ passkeyId: z.string().min(1).max(80) }),
  reply: doneSchema,
  refusals: ['passkey_required', 'not_found'],
});
