import type * as calls from '#shared/contract/members.ts';
import { everyMember, type MemberPolicies, ownerOnly } from './member-policy.ts';

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
  removeMember: ownerOnly,
  leaveCustomer: everyMember,
  offerOwnership: ownerOnly,
  listMyCustomers: everyMember,
  switchCustomer: everyMember,
  openOwnCustomer: everyMember,
  askToJoin: everyMember,
} satisfies MemberPolicies<typeof calls>;
