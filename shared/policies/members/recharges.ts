import type * as calls from '#shared/contract/recharges.ts';
import { type MemberPolicies, ofMoney } from './member-policy.ts';

/** As renewals: whoever may end those ends what they debit beside them. */
export const rechargesRights = {
  setRecharge: ofMoney,
  skipRecharge: ofMoney,
  endRecharge: ofMoney,
} satisfies MemberPolicies<typeof calls>;
