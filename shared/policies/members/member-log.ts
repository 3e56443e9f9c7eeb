import type * as calls from '#shared/contract/member-log.ts';
import { type MemberPolicies, ofMoney } from './member-policy.ts';

export const memberLogRights = { listMemberActions: ofMoney } satisfies MemberPolicies<typeof calls>;
