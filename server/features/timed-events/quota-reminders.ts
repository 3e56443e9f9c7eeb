import { sumOf } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { grantsAccess } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { quotaDedupeKey } from '#shared/domain/dedupe-key.ts';
import { monthlyResetsAt } from '#shared/domain/quota.ts';
import { highestThresholdReached, type QuotaThreshold, quotaThresholds } from '#shared/domain/quota-thresholds.ts';
import type { Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { happened, selectHappened } from '#server/features/events/events.ts';

/**
 * Notifies customers once per threshold and window of a quota. Leased units cross a threshold before used ones do, so the
 * database records the few windows that can have reached one (table quota_crossings), and only these are read.
 */
export async function remindOfQuotas(portal: Portal, today: Day, items = unrecorded): Promise<void> {
  const windows = await selectCrossed(portal, today);
  const published = await selectHappened(
    portal.db,
    windows.flatMap((each) => quotaThresholds.map((percent) => quotaDedupeKey(windowOf(each), percent))),
  );
  for (const each of windows) {
    const notice = each.isOver ? undefined : highestThresholdReached(each.used, limitOf(each));
    // After the notice of 100 %, one of 80 % is not needed.
    const known = quotaThresholds.some(
      (percent) => percent >= (notice ?? 0) && published.has(quotaDedupeKey(windowOf(each), percent)),
    );
    await items.each(each.day === null ? each.id : `${each.id} on ${each.day}`, async () => {
      if (notice !== undefined && !known) await publish(portal, each, notice, today);
      await deleteCrossings(portal, each, each.isOver ? 100 : (notice ?? 0));
    });
  }
}

type CrossedWindow = Awaited<ReturnType<typeof selectCrossed>>[number];

/** The quota windows that may have crossed a threshold, with the units used in them. */
async function selectCrossed(portal: Portal, today: Day) {
  const rows = await portal.db
    .selectFrom('quota_crossings')
    .innerJoin('cycles', 'cycles.id', 'quota_crossings.cycle_id')
    .selectAll('cycles')
    .select((select) => [
      'quota_crossings.day',
      select.fn<number>('pack_units', ['cycles.id']).as('pack_units'),
      select.fn<Day | null>('free_window_end', [select.table('cycles')]).as('window_end'),
      select
        .selectFrom('usage_counts')
        .select((count) => sumOf(count.ref('usage_counts.units')).as('used'))
        .whereRef('usage_counts.cycle_id', '=', 'cycles.id')
        .where('usage_counts.counted', '=', true)
        .where((count) =>
          count.or([
            count('quota_crossings.day', 'is', null),
            count('usage_counts.day', '=', count.ref('quota_crossings.day')),
          ]),
        )
        .as('used'),
    ])
    .groupBy(['cycles.id', 'quota_crossings.day'])
    .execute();
  return rows.map((row) => {
    const isRunning = grantsAccess(row.status) && row.from_date <= today;
    return {
      ...row,
      used: row.used ?? 0,
      isOver: !isRunning || row.to_date <= today || (row.day !== null && row.day !== today),
    };
  });
}

const limitOf = ({ day, daily_quota, monthly_quota, pack_units: packs }: CrossedWindow): number =>
  packs + (day === null ? monthly_quota : daily_quota);

const windowOf = ({ id, activation_id, day, pack_units: packUnits }: CrossedWindow) => ({
  cycleId: id,
  activationId: activation_id,
  day,
  packUnits,
});

/** The end of the 30 days of free quota in which the cycle started, as headers and refusals name it (decision 24), or its own. */
function monthlyRenewsOn({ to_date: end, window_end: windowEnd }: CrossedWindow, today: Day): Day {
  const windowEndsAt = windowEnd === null ? null : startOfDay(windowEnd);
  return dayOf(monthlyResetsAt(startOfDay(end), windowEndsAt, startOfDay(today)));
}

async function publish(portal: Portal, cycle: CrossedWindow, percent: QuotaThreshold, today: Day): Promise<void> {
  const renewsOn = cycle.day === null ? monthlyRenewsOn(cycle, today) : addDays(cycle.day, 1);
  const about = { ...windowOf(cycle), percent, used: cycle.used, limit: limitOf(cycle), renewsOn };
  await transaction(portal.db, (tx) =>
    happened(portal, { customerId: cycle.customer_id }, tx, { type: 'quota.reached', ...about }),
  );
}

/** Deletes the crossings of thresholds up to `percent`: they are done. */
async function deleteCrossings(portal: Portal, { id, day }: CrossedWindow, percent: number): Promise<void> {
  await portal.db
    .deleteFrom('quota_crossings')
    .where('cycle_id', '=', id)
    .where('day', 'is not distinct from', day)
    .where('percent', '<=', percent)
    .execute();
}
