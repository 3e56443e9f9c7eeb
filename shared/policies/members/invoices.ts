import type * as calls from '#shared/contract/invoices.ts';
import { type MemberPolicies, seesMoney } from './member-policy.ts';

export const invoicesRights = {
  listHistory: seesMoney,
  listAllHistory: seesMoney,
  readInvoice: seesMoney,
} satisfies MemberPolicies<typeof calls>;
