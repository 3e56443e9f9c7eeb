import type * as calls from '#shared/contract/tds.ts';
import { type MemberPolicies, ofMoney } from './member-policy.ts';

export const tdsRights = {
  declareTds: ofMoney,
  readTdsCertificate: ofMoney,
} satisfies MemberPolicies<typeof calls>;
