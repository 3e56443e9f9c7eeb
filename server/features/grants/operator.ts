import type { grantCalls } from '#shared/contract/operator/grants.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { extendCycle, previewExtension } from './extend-cycle.ts';
import { makeGrant, previewGrant } from './grants.ts';
import { previewWithdrawal, withdrawGrant } from './withdraw-grant.ts';

export const grantHandlers: Handlers<typeof grantCalls> = {
  grantPlan: {
    preview: async (operator, order) => ({
      ...(await previewGrant(operator, order)),
      cycleId: null,
      effectiveBy: null,
    }),
    perform: makeGrant,
  },
  withdrawPlan: {
    preview: (operator, { cycleId }) => previewWithdrawal(operator, cycleId),
    perform: (operator, { cycleId }, cause) => withdrawGrant(operator, cycleId, cause),
  },
  extendCycle: {
    preview: (operator, { cycleId, days }) => previewExtension(operator, cycleId, days),
    perform: (operator, { cycleId, days }, cause) => extendCycle(operator, cycleId, days, cause),
  },
};
