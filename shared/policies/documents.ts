import type { documentCalls } from '#shared/contract/operator/documents.ts';
import type { Policies } from './policy.ts';

export const documentPolicies: Policies<typeof documentCalls> = {
  sendDocuments: ['owner', 'support', 'finance'],
};
