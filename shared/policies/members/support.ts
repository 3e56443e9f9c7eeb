import type * as calls from '#shared/contract/support.ts';
import { everyMember, type MemberPolicies } from './member-policy.ts';

const writers = ['owner', 'developer', 'accountant'] as const;

/** Threads are of the organisation, whatever they are about: who needs support must not be told to ask somebody else to write. */
export const supportRights = {
  createSupportThread: writers,
  listSupportThreads: everyMember,
  readSupportThread: everyMember,
  replyToSupport: writers,
  readSupportFile: everyMember,
  markSupportRead: writers,
  closeSupportThread: writers,
} satisfies MemberPolicies<typeof calls>;
