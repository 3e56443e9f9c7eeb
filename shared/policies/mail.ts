import type { mailCalls } from '#shared/contract/operator/mail.ts';
import { everyRole, type Policies } from './policy.ts';

export const mailPolicies: Policies<typeof mailCalls> = {
  listMails: everyRole,
  readMail: everyRole,
};
