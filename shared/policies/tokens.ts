import type { tokenCalls } from '#shared/contract/operator/tokens.ts';
import { everyRole, type Policies } from './policy.ts';

const roles = ['owner', 'support', 'finance'] as const;

export const tokenPolicies = {
  listTokens: everyRole,
  createToken: { roles, sensitive: true, never: ['token', 'command'] },
  revokeToken: { roles, never: ['token'] },
} satisfies Policies<typeof tokenCalls>;
