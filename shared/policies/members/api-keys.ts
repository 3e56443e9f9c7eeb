import type * as calls from '#shared/contract/api-keys.ts';
import { type MemberPolicies, seesTechnical, technical } from './member-policy.ts';

/** The list has names and the last four characters; a key itself is shown once, to who makes it. */
export const apiKeysRights = {
  listApiKeys: seesTechnical,
  createApiKey: technical,
  createTryKey: technical,
  updateApiKey: technical,
  rotateApiKey: technical,
  revokeApiKey: technical,
} satisfies MemberPolicies<typeof calls>;
