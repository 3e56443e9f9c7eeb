import type * as calls from '#shared/contract/accountants.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

export const accountantsRights = {
  readAccountant: seesMoney,
  askAccountant: ofMoney,
  removeAccountant: ofMoney,
} satisfies MemberPolicies<typeof calls>;
