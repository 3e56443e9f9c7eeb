import type * as calls from '#shared/contract/pay-links.ts';
import { type MemberPolicies, ofMoney } from './member-policy.ts';

export const payLinksRights = {
  makePayLink: ofMoney,
} satisfies MemberPolicies<typeof calls>;
