import type { transferCalls } from '#shared/contract/operator/transfers.ts';
import { everyRole, type Policies } from './policy.ts';

export const transferPolicies = {
  listHeldTransfers: everyRole,
  settleTransfer: { roles: ['owner', 'finance'], sensitive: true, amount: 'tds' },
  recordReceivedTransfer: { roles: ['owner', 'finance'], sensitive: true, amount: 'due' },
  refundTransfer: { roles: ['owner', 'finance'], sensitive: true, amount: 'amount' },
} satisfies Policies<typeof transferCalls>;
