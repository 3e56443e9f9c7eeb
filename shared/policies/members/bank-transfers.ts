import type * as calls from '#shared/contract/bank-transfers.ts';
import { type MemberPolicies, ofMoney } from './member-policy.ts';

export const bankTransfersRights = {
  payByTransfer: ofMoney,
  declareTransferTds: ofMoney,
} satisfies MemberPolicies<typeof calls>;
