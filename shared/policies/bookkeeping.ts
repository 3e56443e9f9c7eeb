import type { bookkeepingCalls } from '#shared/contract/operator/bookkeeping.ts';
import type { Policies } from './policy.ts';

/** The files name every buyer. */
const ofTheBooks = ['owner', 'finance'] as const;

export const bookkeepingPolicies = {
  readTrialBalance: ofTheBooks,
  exportGstr1: ofTheBooks,
  exportGstr3b: ofTheBooks,
  exportBooks: ofTheBooks,
} satisfies Policies<typeof bookkeepingCalls>;
