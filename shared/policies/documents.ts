import type { documentCalls } from '#shared/contract/operator/documents.ts';
import { everyRole, type Policies } from './policy.ts';

export const documentPolicies = {
  sendDocuments: ['owner', 'support', 'finance'],
  listDocuments: everyRole,
  listRemittances: everyRole,
  recordRemittance: ['owner', 'finance'],
  listUnregistered: everyRole,
  retryEInvoice: ['owner', 'finance'],
  printDocument: ['owner', 'support', 'finance'],
} satisfies Policies<typeof documentCalls>;
