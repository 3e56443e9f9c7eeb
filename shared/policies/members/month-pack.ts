import type * as calls from '#shared/contract/month-pack.ts';
import { type MemberPolicies, seesMoney } from './member-policy.ts';

export const monthPackRights = {
  readMonthPack: seesMoney,
} satisfies MemberPolicies<typeof calls>;
