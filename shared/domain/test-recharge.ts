import type { RechargeFacts } from '#shared/domain/recharge.ts';

/** A plan whose customer agreed to recharges, and whose units last. */
export const agreed: RechargeFacts = {
  isDeleted: false,
  isBlocked: false,
  isSuspended: false,
  isDisputed: false,
  mandate: {
    state: 'IN_FORCE',
    planId: 'growth',
    ceilingPaise: 187_400,
    expiresOn: '2031-11-01',
    monthlyPaise: 100_000,
  },
  runningPlanId: 'growth',
  pricePaise: 9_900,
  debits: [],
  isBusy: false,
  renewalFrom: undefined,
  isPaidElsewhere: false,
  isByTransfer: false,
  endsAt: undefined,
  shortage: undefined,
};
