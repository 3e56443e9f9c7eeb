import type { refundCalls } from '#shared/contract/operator/refunds.ts';
import { everyRole, type Policies } from './policy.ts';

export const refundPolicies = {
  listUnpaidRefunds: everyRole,
  listRefunds: everyRole,
  recordTransfer: { roles: ['owner', 'finance'], sensitive: true },
  turnRefund: { roles: ['owner', 'finance'], sensitive: true },
} satisfies Policies<typeof refundCalls>;
