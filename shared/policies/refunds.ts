import type { refundCalls } from '#shared/contract/operator/refunds.ts';
import { everyRole, type Policies } from './policy.ts';

export const refundPolicies: Policies<typeof refundCalls> = {
  listUnpaidRefunds: everyRole,
  listRefunds: everyRole,
  recordTransfer: { roles: ['owner', 'finance'], sensitive: true },
  turnRefund: { roles: ['owner', 'finance'], sensitive: true },
};
