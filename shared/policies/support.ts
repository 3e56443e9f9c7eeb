import type { supportCalls } from '#shared/contract/operator/support.ts';
import { everyRole, type Policies } from './policy.ts';

export const supportPolicies = {
  listThreads: everyRole,
  readThread: everyRole,
  readThreadFile: everyRole,
  replyToThread: ['owner', 'support', 'finance'],
  closeThread: ['owner', 'support', 'finance'],
  assignThread: ['owner', 'support', 'finance'],
  listNotes: everyRole,
  addNote: ['owner', 'support', 'finance'],
  removeNote: ['owner', 'support'],
  listCannedAnswers: everyRole,
  createCannedAnswer: ['owner', 'support'],
  changeCannedAnswer: ['owner', 'support'],
  removeCannedAnswer: ['owner', 'support'],
} satisfies Policies<typeof supportCalls>;
