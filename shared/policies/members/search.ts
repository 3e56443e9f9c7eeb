import type * as calls from '#shared/contract/search.ts';
import { everyMember, type MemberPolicies } from './member-policy.ts';

export const searchRights = {
  searchPages: everyMember,
} satisfies MemberPolicies<typeof calls>;
