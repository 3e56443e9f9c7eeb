import type * as calls from '#shared/contract/members.ts';
import { everyMember, type MemberPolicies, ownerOnly, type PasskeyRules } from './member-policy.ts';

/**
 * Who is a member everybody in the organisation may know; who is invited only the owner. Switching, asking and leaving are about the person,
 * whatever the role here; the owner is refused by the call itself, in words.
 */
export const memberRightsOfMembers = {
  listMembers: everyMember,
  inviteMember: ownerOnly,
  approveMember: ownerOnly,
  revokeInvitation: ownerOnly,
  allowColleagues: ownerOnly,
  changeMember: ownerOnly,
  limitMember: ownerOnly,
  removeMember: ownerOnly,
  leaveCustomer: everyMember,
  offerOwnership: ownerOnly,
  listMyCustomers: everyMember,
  switchCustomer: everyMember,
  openOwnCustomer: everyMember,
  askToJoin: everyMember,
} satisfies MemberPolicies<typeof calls>;

/** Who works here. To object, to withdraw and to leave give nobody anything. */
export const membersPasskeys = {
  inviteMember: 'always',
  approveMember: 'always',
  revokeInvitation: 'never',
  allowColleagues: 'never',
  changeMember: 'always',
  limitMember: 'always',
  removeMember: 'always',
  leaveCustomer: 'never',
  offerOwnership: 'always',
  switchCustomer: 'never',
  openOwnCustomer: 'never',
  askToJoin: 'never',
} satisfies PasskeyRules<typeof calls>;
