/** Members that a customer may have, and invitations that may wait at a time. */
export const maxMembers = 50;
export const maxOpenInvitations = 20;
/** Invitations of a customer in 24 hours, and those that one address gets in them from anybody: nobody is to be flooded through us. */
export const maxInvitationsPerDay = 20;
export const maxInvitationsToAddress = 5;
/** How long an invitation can be accepted, and how long an owner may object to a transfer by the provider. */
export const invitationMs = 7 * 86_400_000;
