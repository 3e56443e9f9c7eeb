import type { paymentCalls } from '#shared/contract/operator/payments.ts';
import { everyRole, type Policies } from './policy.ts';

export const paymentPolicies = {
  refundPayment: { roles: ['owner', 'support', 'finance'], sensitive: true, amount: 'amount' },
  readPayment: everyRole,
  listPayments: everyRole,
  recheckPayment: ['owner', 'support', 'finance'],
} satisfies Policies<typeof paymentCalls>;
