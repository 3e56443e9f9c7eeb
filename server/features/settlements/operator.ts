import type { settlementCalls } from '#shared/contract/operator/settlements.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { compareSettlements, comparedTimes, dayMs } from './compare.ts';
import { readSettlementReport } from './report.ts';

export const settlementHandlers: Handlers<typeof settlementCalls> = {
  listSettlements: {
    read: async ({ db, clock, settings }, { month, items }) => {
      const nowMs = clock();
      const times = comparedTimes(month, nowMs);
      const report = await readSettlementReport(db, { ...times, items });
      const differences = await compareSettlements(db, {
        ...times,
        nowMs,
        graceMs: settings.settlementDays * dayMs,
      });
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
