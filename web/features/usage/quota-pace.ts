import type { Usage } from '#shared/contract/usage.ts';
import { addDays, dayOf, laterDay, startOfDay } from '#shared/domain/day.ts';
import { paceDays, type QuotaPace, quotaPace } from '#shared/domain/quota-pace.ts';

/** The pace of a running plan's quota: of today since midnight, or of the cycle over its last days. */
export function paceOf({ graph, from, asOf, ...uses }: Usage['insights'], quota: 'daily' | 'monthly'): QuotaPace {
  const use = quota === 'daily' ? uses.dailyUse : uses.monthlyUse;
  const now = Date.parse(asOf);
  const today = dayOf(now);
  const first = quota === 'daily' ? today : laterDay(from, addDays(today, 1 - paceDays));
  return quotaPace({
    remaining: use.quotaRemaining,
    calls: graph.reduce((sum, { x, y }) => (x >= first ? sum + y : sum), 0),
    since: startOfDay(first),
    now,
    renewsAt: use.renewsAt === null ? now : Date.parse(use.renewsAt),
  });
}
