import type { settlementCalls } from '#shared/contract/operator/settlements.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { comparedTimes, differencesIn } from './compare.ts';
import { readSettlementReport } from './report.ts';

export const settlementHandlers: Handlers<typeof settlementCalls> = {
  listSettlements: {
    read: async (source, { month, items }) => {
      const nowMs = source.clock();
      const report = await readSettlementReport(source.db, { ...comparedTimes(month, nowMs), items });
      const differences = await differencesIn(source, month, nowMs);
      return {
        ...report,
        differences: differences.map(({ kind, id, settlementId, expectedPaise, foundPaise, atMs }) => ({
          day: dayOf(atMs),
          kind,
          id,
          settlementId,
          expected: rupees(expectedPaise),
          found: rupees(foundPaise),
        })),
      };
    },
  },
};
