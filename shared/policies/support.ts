import type { supportCalls } from '#shared/contract/operator/support.ts';
import { everyRole, type Policies } from './policy.ts';

export const supportPolicies = {
  listThreads: everyRole,
  readThread: everyRole,
  replyToThread: ['owner', 'support', 'finance'],
  closeThread: ['owner', 'support', 'finance'],
  assignThread: ['owner', 'support', 'finance'],
} satisfies Policies<typeof supportCalls>;
