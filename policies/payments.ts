import type { paymentCalls } from '#contract/operator/payments.ts';
import type { Policies } from './policy.ts';

export const paymentPolicies: Policies<typeof paymentCalls> = {
  refundPayment: ['owner', 'support', 'finance'],
};
