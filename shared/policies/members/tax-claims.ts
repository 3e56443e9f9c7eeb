import type * as calls from '#shared/contract/tax-claims.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

export const taxClaimsRights = {
  readTaxClaim: seesMoney,
  declareTaxClaim: ofMoney,
  withdrawTaxClaim: ofMoney,
  readTaxLetter: ofMoney,
} satisfies MemberPolicies<typeof calls>;
