import type { tdsCalls } from '#shared/contract/operator/tds.ts';
import { everyRole, type Policies } from './policy.ts';

export const tdsPolicies: Policies<typeof tdsCalls> = {
  listTdsClaims: everyRole,
  acceptTds: ['owner', 'finance'],
  refuseTds: ['owner', 'finance'],
};
