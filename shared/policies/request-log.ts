import type { requestLogCalls } from '#shared/contract/operator/request-log.ts';
import { everyRole, type Policies } from './policy.ts';

export const requestLogPolicies = {
  readRequests: everyRole,
} satisfies Policies<typeof requestLogCalls>;
