import type { mandateCalls } from '#shared/contract/operator/mandates.ts';
import { everyRole, type Policies } from './policy.ts';

export const mandatePolicies = {
  listMandates: everyRole,
  endMandate: ['owner', 'finance', 'support'],
} satisfies Policies<typeof mandateCalls>;
