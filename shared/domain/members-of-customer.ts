/** Members that a customer may have, and invitations that may wait at a time. */
export const maxMembers = 50;
export const maxOpenInvitations = 20;
/**
 * Invitations of a customer in 24 hours, those of it to one mailbox, and those that one address gets from anybody: nobody is to be flooded through us. The last
 * is so high that strangers don't use it up soon, and never keeps the ownership from a member.
 */
export const maxInvitationsPerDay = 20;
export const maxInvitationsToMailbox = 5;
export const maxInvitationsToAddress = 50;
/** How long an address that wants no invitations gets none. */
export const silentMs = 365 * 86_400_000;
/** How long an invitation can be accepted, and how long an owner may object to a transfer by the provider. */
export const invitationMs = 7 * 86_400_000;
