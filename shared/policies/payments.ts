import type { paymentCalls } from '#shared/contract/operator/payments.ts';
import { everyRole, type Policies } from './policy.ts';

export const paymentPolicies: Policies<typeof paymentCalls> = {
  refundPayment: ['owner', 'support', 'finance'],
  readPayment: everyRole,
  recheckPayment: ['owner', 'support', 'finance'],
};
