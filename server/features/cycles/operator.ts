import type { cycleCalls } from '#shared/contract/operator/cycles.ts';
import { dayOf } from '#shared/domain/day.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { listCyclesOf } from './list-for-operator.ts';

export const cycleHandlers: Handlers<typeof cycleCalls> = {
  listCycles: {
    read: async ({ db, clock }, { customerId, ...page }) => {
      await requireCustomer(db, customerId);
      return listCyclesOf(db, customerId, dayOf(clock()), page);
    },
  },
};
