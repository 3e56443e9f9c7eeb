import type * as calls from '#shared/contract/account.ts';
import { everyMember, type MemberPolicies, ofMoney } from './member-policy.ts';

/** readAccount leaves out what the role may not see: the business profile, and what operators did. */
export const accountRights = {
  signOut: everyMember,
  readAccount: everyMember,
  /** Each member for itself: which kinds, mails.ts says. */
  updateMails: everyMember,
  updateProfile: ofMoney,
} satisfies MemberPolicies<typeof calls>;
