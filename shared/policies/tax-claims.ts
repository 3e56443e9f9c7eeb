import type { taxClaimCalls } from '#shared/contract/operator/tax-claims.ts';
import { everyRole, type Policies } from './policy.ts';

export const taxClaimPolicies = {
  listTaxClaims: everyRole,
  readClaimLetter: everyRole,
  checkSez: ['owner', 'support', 'finance'],
} satisfies Policies<typeof taxClaimCalls>;
