import type { figureCalls } from '#shared/contract/operator/figures.ts';
import type { Policies } from './policy.ts';

export const figurePolicies: Policies<typeof figureCalls> = {
  readFigures: ['owner', 'finance', 'read-only'],
};
