import type { actionCalls } from '#shared/contract/operator/actions.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { pageOf } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

export const actionHandlers: Handlers<typeof actionCalls> = {
  listActions: {
    read: async ({ db }, { after, limit, customerId, actor }) => {
      if (customerId !== undefined) await requireCustomer(db, customerId);
      const before = after === undefined ? undefined : Number(after);
      if (before !== undefined && !Number.isSafeInteger(before))
        throw new OperatorRefusal(`${after} is no entry of the audit log.`, 'invalid_request');
      const read = await listActions(db, { before, limit: limit + 1, customerId, actor });
      const { rows: actions, next } = pageOf(read, limit, ({ position }) => String(position));
      return { actions, next };
    },
  },
};
