import type { actionCalls } from '#shared/contract/operator/actions.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';

export const actionHandlers: Handlers<typeof actionCalls> = {
  listActions: {
    read: async ({ db }, { limit, customerId }) => {
      if (customerId !== undefined) await requireCustomer(db, customerId);
      return { actions: await listActions(db, { limit, customerId }) };
    },
  },
};
