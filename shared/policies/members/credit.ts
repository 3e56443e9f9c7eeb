import type * as calls from '#shared/contract/credit.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

/** Whoever may pay may also promise to, within what the provider allows. */
export const creditRights = {
  readCredit: seesMoney,
  payLater: ofMoney,
  readStatement: seesMoney,
  readStatementPaper: seesMoney,
} satisfies MemberPolicies<typeof calls>;
