import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import {
  createdCredentialSchema,
  passkeyNameSchema,
  passkeySchema,
  proofOptionsSchema,
  provenSchema,
  registrationOptionsSchema,
  signedCredentialSchema,
} from '#shared/contract/passkeys.ts';
import { doneSchema, instantSchema } from '#shared/contract/values.ts';
import { operatorRoles } from './roles.ts';

const operatorSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(operatorRoles),
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

export const beginPasskey = defineCall({
  name: 'beginPasskey',
  summary: 'Begin to add a passkey; the options are for navigator.credentials.create',
  method: 'POST',
  path: '/operator/passkeys/options/register',
  auth: 'operator',
  reply: registrationOptionsSchema,
  refusals: ['passkey_required', 'refused'],
});

/** Adding a second one needs a proof with the first. */
export const addPasskey = defineCall({
  name: 'addPasskey',
  summary: 'Add a passkey: the result of navigator.credentials.create, as its toJSON gives it',
  method: 'POST',
  path: '/operator/passkeys',
  auth: 'operator',
  body: z.strictObject({ name: passkeyNameSchema, credential: createdCredentialSchema }),
  reply: passkeySchema,
  refusals: ['passkey_required', 'refused'],
});

export const beginProof = defineCall({
  name: 'beginProof',
  summary: 'Begin to confirm with a passkey; the options are for navigator.credentials.get',
  method: 'POST',
  path: '/operator/passkeys/options/prove',
  auth: 'operator',
  reply: proofOptionsSchema,
  refusals: ['refused'],
});

export const provePasskey = defineCall({
  name: 'provePasskey',
  summary: 'Confirm with a passkey: the result of navigator.credentials.get; opens what needs one for 15 minutes',
  method: 'POST',
  path: '/operator/passkeys/proof',
  auth: 'operator',
  body: z.strictObject({ credential: signedCredentialSchema }),
  reply: provenSchema,
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
