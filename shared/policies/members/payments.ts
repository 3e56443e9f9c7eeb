import type * as calls from '#shared/contract/payments.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

export const paymentsRights = {
  createOrder: ofMoney,
  createOrderOfPeriods: ofMoney,
  listDisputes: seesMoney,
  verifyPayment: ofMoney,
} satisfies MemberPolicies<typeof calls>;
