import type * as calls from '#shared/contract/privacy.ts';
import { type MemberPolicies, ownerOnly, type PasskeyRules } from './member-policy.ts';

/** The export has everything, keys’ addresses and mails included. */
export const privacyRights = {
  readDataExport: ownerOnly,
  readErasure: ownerOnly,
  askErasure: ownerOnly,
  withdrawErasure: ownerOnly,
} satisfies MemberPolicies<typeof calls>;

export const privacyPasskeys = {
  askErasure: 'always',
  withdrawErasure: 'never',
} satisfies PasskeyRules<typeof calls>;
