/** What people may do for a customer. The owner may do everything; exactly one member is. */
export const memberRoles = ['owner', 'developer', 'accountant', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];
