import type { payLinkCalls } from '#shared/contract/operator/pay-links.ts';
import type { Policies } from './policy.ts';

export const payLinkPolicies = {
  findPayLink: ['owner', 'finance', 'support'],
  endPayLinks: ['owner', 'finance', 'support'],
} satisfies Policies<typeof payLinkCalls>;
