import type { settlementCalls } from '#shared/contract/operator/settlements.ts';
import { everyRole, type Policies } from './policy.ts';

export const settlementPolicies = { listSettlements: everyRole } satisfies Policies<typeof settlementCalls>;
