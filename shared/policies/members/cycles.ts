import type * as calls from '#shared/contract/cycles.ts';
import { type MemberPolicies, ofMoney, ownerOnly } from './member-policy.ts';

/** Which plan is bought, switched or ended is the owner’s decision; an accountant orders and pays more of what runs. */
export const cyclesRights = {
  addCycle: ofMoney,
  buyPack: ofMoney,
  previewEndCycle: ownerOnly,
  endCycle: ownerOnly,
  previewSwitch: ownerOnly,
  switchPlan: ownerOnly,
} satisfies MemberPolicies<typeof calls>;
