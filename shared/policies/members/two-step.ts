import type * as calls from '#shared/contract/two-step.ts';
import { everyMember, type MemberPolicies, ownerOnly, type PasskeyRules } from './member-policy.ts';

/** Own passkeys are the member’s; whether the account asks for them is the owner’s decision. */
export const twoStepRights = {
  readTwoStep: everyMember,
  switchTwoStep: ownerOnly,
  beginMemberPasskey: everyMember,
  addMemberPasskey: everyMember,
  beginMemberProof: everyMember,
  proveMemberPasskey: everyMember,
  removeMemberPasskey: everyMember,
  removePasskeysOf: ownerOnly,
} satisfies MemberPolicies<typeof calls>;

/** A first passkey needs a new Google sign-in instead, which the call asks for itself. */
export const twoStepPasskeys = {
  switchTwoStep: 'always',
  beginMemberPasskey: 'never',
  addMemberPasskey: 'never',
  beginMemberProof: 'never',
  proveMemberPasskey: 'never',
  removeMemberPasskey: 'always',
  removePasskeysOf: 'always',
} satisfies PasskeyRules<typeof calls>;
