import type { privacyCalls } from '#shared/contract/operator/privacy.ts';
import { everyRole, type Policies } from './policy.ts';

export const privacyPolicies = {
  eraseCustomer: { roles: ['owner'], sensitive: true, amount: 'refund' },
  listErasureRequests: everyRole,
} satisfies Policies<typeof privacyCalls>;
