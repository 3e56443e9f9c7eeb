import type { tdsCalls } from '#shared/contract/operator/tds.ts';
import { everyRole, type Policies } from './policy.ts';

export const tdsPolicies = {
  listTdsClaims: everyRole,
  readCertificate: everyRole,
  acceptTds: { roles: ['owner', 'finance'], sensitive: true, amount: 'amount' },
  refuseTds: ['owner', 'finance'],
} satisfies Policies<typeof tdsCalls>;
