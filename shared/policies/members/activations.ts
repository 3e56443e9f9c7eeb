import type * as calls from '#shared/contract/activations.ts';
import { everyMember, type MemberPolicies, ownerOnly, type PasskeyRules } from './member-policy.ts';

/** The lists name plans, their price and whether they are paid, which every page needs; no payment, paper or refund. */
export const activationsRights = {
  listActivations: everyMember,
  listActivatedServices: everyMember,
  previewDeleteActivation: ownerOnly,
  deleteActivation: ownerOnly,
} satisfies MemberPolicies<typeof calls>;

export const activationsPasskeys = {
  deleteActivation: 'always',
} satisfies PasskeyRules<typeof calls>;
