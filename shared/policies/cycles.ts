import type { cycleCalls } from '#shared/contract/operator/cycles.ts';
import { everyRole, type Policies } from './policy.ts';

export const cyclePolicies = {
  listCycles: everyRole,
} satisfies Policies<typeof cycleCalls>;
