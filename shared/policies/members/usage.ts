import type * as calls from '#shared/contract/usage.ts';
import { everyMember, type MemberPolicies } from './member-policy.ts';

/** What an invoice is for, and what a developer watches. */
export const usageRights = {
  readUsage: everyMember,
  readUsageReport: everyMember,
  readCycleUsage: everyMember,
} satisfies MemberPolicies<typeof calls>;
