import type * as calls from '#shared/contract/request-log.ts';
import { type MemberPolicies, seesTechnical } from './member-policy.ts';

/** Paths are masked where a parameter may be personal; the live stream and the CSV ask for the same right as the list. */
export const requestLogRights = {
  listRequests: seesTechnical,
  listRequestAlerts: seesTechnical,
} satisfies MemberPolicies<typeof calls>;
