import type * as calls from '#shared/contract/invitations.ts';
import { everyMember, type MemberPolicies, type PasskeyRules } from './member-policy.ts';

/** About the person, who is somebody else’s guest; the role here doesn’t matter. */
export const invitationsRights = { acceptInvitation: everyMember } satisfies MemberPolicies<typeof calls>;

/** Who joins is a stranger, with no passkey yet. */
export const invitationsPasskeys = {
  acceptInvitation: 'for the ownership',
} satisfies PasskeyRules<typeof calls>;
