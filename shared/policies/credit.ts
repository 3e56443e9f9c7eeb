import type { creditCalls } from '#shared/contract/operator/credit.ts';
import { everyRole, type Policies } from './policy.ts';

export const creditPolicies = {
  setCreditTerms: { roles: ['owner', 'finance'], sensitive: true, amount: 'limit' },
  writeOffBill: { roles: ['owner', 'finance'], sensitive: true, amount: 'amount' },
  listBills: everyRole,
  readStatementOf: everyRole,
} satisfies Policies<typeof creditCalls>;
