import type { requestLogCalls } from '#shared/contract/operator/request-log.ts';
import { everyRole, type Policies } from './policy.ts';

export const requestLogPolicies: Policies<typeof requestLogCalls> = {
  readRequests: everyRole,
};
