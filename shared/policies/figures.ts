import type { figureCalls } from '#shared/contract/operator/figures.ts';
import type { Policies } from './policy.ts';

export const figurePolicies = {
  readFigures: ['owner', 'finance', 'read-only'],
} satisfies Policies<typeof figureCalls>;
