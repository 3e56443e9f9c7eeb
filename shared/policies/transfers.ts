import type { transferCalls } from '#shared/contract/operator/transfers.ts';
import { everyRole, type Policies } from './policy.ts';

export const transferPolicies = {
  listHeldTransfers: everyRole,
  settleTransfer: { roles: ['owner', 'finance'], sensitive: true },
  recordReceivedTransfer: { roles: ['owner', 'finance'], sensitive: true },
  refundTransfer: { roles: ['owner', 'finance'], sensitive: true, amount: 'amount' },
} satisfies Policies<typeof transferCalls>;
