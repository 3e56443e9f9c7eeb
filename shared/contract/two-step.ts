import { z } from 'zod';
import { defineCall } from './call.ts';
import { ids } from './ids.ts';
import {
  createdCredentialSchema,
  passkeyNameSchema,
  passkeySchema,
  proofOptionsSchema,
  provenSchema,
  registrationOptionsSchema,
  signedCredentialSchema,
} from './passkeys.ts';
import { doneSchema } from './values.ts';

/** Where the owner has switched it on, what hurts needs a passkey of the member who does it (decision 083). */
export const readTwoStep = defineCall({
  name: 'readTwoStep',
  summary: 'Whether what hurts needs a passkey, the member’s own passkeys, and how many each member has, for the owner',
  method: 'GET',
  path: '/members/two-step',
  auth: 'session',
  reply: z.object({
    isOn: z.boolean(),
    passkeys: z.array(passkeySchema),
    /** Of the other members; for the owner alone. */
    members: z.array(z.object({ memberId: z.string(), name: z.string(), email: z.string(), passkeys: z.int() })),
  }),
  refusals: [],
});

export const switchTwoStep = defineCall({
  name: 'switchTwoStep',
  summary: 'Ask every member for a passkey before what hurts, or stop that; either needs a passkey of the owner',
  method: 'PUT',
  path: '/members/two-step',
  auth: 'session',
  body: z.strictObject({ isOn: z.boolean() }),
  reply: doneSchema,
  refusals: ['passkey_needed'],
});

export const beginMemberPasskey = defineCall({
  name: 'beginMemberPasskey',
  summary: 'Begin to add a passkey; the options are for navigator.credentials.create',
  method: 'POST',
  path: '/members/passkeys/options/register',
  auth: 'session',
  reply: registrationOptionsSchema,
  refusals: ['passkey_needed'],
});

export const addMemberPasskey = defineCall({
  name: 'addMemberPasskey',
  summary:
    'Add a passkey of the member; it needs one that is there or, where none is or none is asked for, a new Google sign-in of the same person',
  method: 'POST',
  path: '/members/passkeys',
  auth: 'session',
  body: z.strictObject({
    name: passkeyNameSchema,
    credential: createdCredentialSchema,
    /** With a nonce of createSignInNonce: who has the session alone adds no first passkey. */
    googleIdToken: z.string().min(1).max(8000).optional(),
  }),
  reply: passkeySchema,
  refusals: ['passkey_needed', 'identity_needed', 'passkey_not_accepted'],
});

export const beginMemberProof = defineCall({
  name: 'beginMemberProof',
  summary: 'Begin to confirm with a passkey; the options are for navigator.credentials.get',
  method: 'POST',
  path: '/members/passkeys/options/prove',
  auth: 'session',
  reply: proofOptionsSchema,
  refusals: ['not_found'],
});

export const proveMemberPasskey = defineCall({
  name: 'proveMemberPasskey',
  summary: 'Confirm with a passkey: the result of navigator.credentials.get; opens what needs one for 15 minutes',
  method: 'POST',
  path: '/members/passkeys/proof',
  auth: 'session',
  body: z.strictObject({ credential: signedCredentialSchema }),
  reply: provenSchema,
  refusals: ['passkey_not_accepted'],
});

export const removeMemberPasskey = defineCall({
  name: 'removeMemberPasskey',
  summary: 'Remove a passkey of the member; other sessions of the member are asked again',
  method: 'DELETE',
  path: '/members/passkeys/:passkeyId',
  auth: 'session',
  params: z.object({ passkeyId: ids.passkey }),
  reply: doneSchema,
  refusals: ['not_found', 'last_passkey'],
});

export const removePasskeysOf = defineCall({
  name: 'removePasskeysOf',
  summary: 'Remove the passkeys of another member, who has lost them and adds a new one',
  method: 'DELETE',
  path: '/members/:memberId/passkeys',
  auth: 'session',
  params: z.object({ memberId: ids.member }),
  reply: doneSchema,
  refusals: ['not_found', 'owner_stays'],
});
