import type * as calls from '#shared/contract/renewals.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

export const renewalsRights = {
  readRenewal: seesMoney,
  skipRenewal: ofMoney,
  endRenewal: ofMoney,
} satisfies MemberPolicies<typeof calls>;
