import type * as calls from '#shared/contract/api-keys.ts';
import { type MemberPolicies, seesTechnical, technical, type PasskeyRules } from './member-policy.ts';

/** The list has names and the last four characters; a key itself is shown once, to who makes it. */
export const apiKeysRights = {
  listApiKeys: seesTechnical,
  createApiKey: technical,
  createTryKey: technical,
  updateApiKey: technical,
  rotateApiKey: technical,
  revokeApiKey: technical,
} satisfies MemberPolicies<typeof calls>;

/** Wider limits make a leaked key useful. A key is revoked at once, wherever its owner is. */
export const apiKeysPasskeys = {
  createApiKey: 'always',
  createTryKey: 'always',
  updateApiKey: 'always',
  rotateApiKey: 'always',
  revokeApiKey: 'never',
} satisfies PasskeyRules<typeof calls>;
