import type * as calls from '#shared/contract/documents.ts';
import { type MemberPolicies, ofMoney, seesMoney } from './member-policy.ts';

export const documentsRights = {
  listDocuments: seesMoney,
  readDocument: seesMoney,
  correctInvoice: ofMoney,
  readPurchaseRegister: seesMoney,
} satisfies MemberPolicies<typeof calls>;
