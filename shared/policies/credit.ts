import type { creditCalls } from '#shared/contract/operator/credit.ts';
import { everyRole, type Policies } from './policy.ts';

export const creditPolicies = {
  setCreditTerms: { roles: ['owner', 'finance'], sensitive: true, amount: 'limit' },
  listBills: everyRole,
  readStatementOf: everyRole,
} satisfies Policies<typeof creditCalls>;
