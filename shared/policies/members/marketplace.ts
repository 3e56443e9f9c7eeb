import type * as calls from '#shared/contract/marketplace.ts';
import { everyMember, type MemberPolicies, ownerOnly } from './member-policy.ts';

export const marketplaceRights = {
  listProducts: everyMember,
  listPlans: everyMember,
  activatePlan: ownerOnly,
  activateProduct: ownerOnly,
  activateService: ownerOnly,
} satisfies MemberPolicies<typeof calls>;
