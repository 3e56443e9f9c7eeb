import type { privacyCalls } from '#shared/contract/operator/privacy.ts';
import { dayOf } from '#shared/domain/day.ts';
import { isRequestLate } from '#shared/domain/erasure.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { type ErasureFacts, readErasureFacts } from './erasure-facts.ts';
import { eraseByOperator, listErasureRequests, returnAllUnused } from './operator-erasure.ts';

export const privacyHandlers: Handlers<typeof privacyCalls> = {
  eraseCustomer: {
    preview: async ({ db, catalog, clock }, { customerId, endPlans }) => {
      await returnAllUnused(db, { customerId: customerId.trim() }, { endPlans });
      return erasureOf(await readErasureFacts(db, catalog, customerId, clock()), null);
    },
    perform: async (operator, { customerId, ...despite }, cause) => {
      const { effectiveBy, ...facts } = await eraseByOperator(operator, customerId, cause, despite);
      return erasureOf(facts, effectiveBy);
    },
  },
  listErasureRequests: {
    read: async ({ db, clock }) => ({
      requests: (await listErasureRequests(db)).map(({ askedAt, ...request }) => ({
        ...request,
        askedAt: askedAt.toISOString(),
        isLate: isRequestLate(dayOf(askedAt.getTime()), dayOf(clock())),
      })),
    }),
  },
};

const erasureOf = ({ askedAt, refundPaise, ...facts }: ErasureFacts, effectiveBy: string | null) => ({
  ...facts,
  askedAt: askedAt?.toISOString() ?? null,
  refund: rupees(refundPaise),
  effectiveBy,
});
