import type { mailCalls } from '#shared/contract/operator/mail.ts';
import { everyRole, type Policies } from './policy.ts';

export const mailPolicies = {
  listMails: everyRole,
  readMail: everyRole,
  resendMail: ['owner', 'support', 'finance'],
} satisfies Policies<typeof mailCalls>;
