import { sql } from 'kysely';
import { addDays, type Day, daysBetween, dayOf, laterDay } from '#domain/day.ts';
import { endingNoticeDue, quotaNoticeReached, quotaNotices } from '#domain/reminder.ts';
import { transaction } from '#database/transaction.ts';
import { announce } from '#server/features/events/events.ts';
import type { Portal } from '#server/portal.ts';
import { writeMail } from './write.ts';
import { namedPlan } from './notices.ts';
import { planEnds, quotaUsed } from './texts.ts';

/**
 * Tells each customer whose plan ends in 7, 3 or 1 days with nothing paid after it, once for each; and once for each step of
 * a quota and each window of it. It may be called as often as one likes.
 */
export async function remindCustomers(portal: Portal): Promise<void> {
  const today = dayOf(portal.clock());
  await remindOfEnds(portal, today);
  await remindOfQuotas(portal, today);
}

async function remindOfEnds(portal: Portal, today: Day): Promise<void> {
  const ending = await runningCycles(portal, today)
    .where('cycles.to_date', '<=', addDays(today, 7))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('cycles as later')
            .select('later.id')
            .whereRef('later.activation_id', '=', 'cycles.activation_id')
            .whereRef('later.from_date', '>=', 'cycles.to_date')
            .where('later.status', 'in', ['PAID', 'NO_PAYMENT_REQUIRED']),
        ),
      ),
    )
    .execute();
  const due = ending.flatMap((cycle) => {
    const since = laterDay(cycle.from_date, dayOf((cycle.paid_at ?? cycle.created_at).getTime()));
    const notice = endingNoticeDue({ since, toDate: cycle.to_date }, today);
    return notice === undefined ? [] : [{ cycle, occasion: `ends:${cycle.id}:${notice}` }];
  });
  const told = await toldOccasions(
    portal,
    due.map((each) => each.occasion),
  );
  for (const { cycle, occasion } of due) {
    if (told.has(occasion)) continue;
    const daysLeft = daysBetween(today, cycle.to_date);
    const letter = planEnds(namedPlan(portal, cycle), daysLeft, cycle.to_date);
    const caller = { customerId: cycle.customer_id };
    await transaction(portal.db, async (tx) => {
      await writeMail(portal, caller, tx, occasion, letter);
      await announce(portal, caller, tx, { type: 'cycle.ending', occasion, cycleId: cycle.id, data: { daysLeft } });
    });
  }
}

async function remindOfQuotas(portal: Portal, today: Day): Promise<void> {
  const used = sql<number>`sum(usage_counts.calls)`;
  const counted = runningCycles(portal, today)
    .innerJoin('usage_counts', 'usage_counts.cycle_id', 'cycles.id')
    .where('usage_counts.counted', '=', true)
    .groupBy('cycles.id')
    .select(used.as('used'));
  const lowest = quotaNotices[0];
  const [days, months] = await Promise.all([
    counted
      .where('usage_counts.day', '=', today)
      .having(sql<boolean>`sum(usage_counts.calls) * 100 >= cycles.daily_quota::bigint * ${sql.lit(lowest)}`)
      .execute(),
    counted
      .having(sql<boolean>`sum(usage_counts.calls) * 100 >= cycles.monthly_quota::bigint * ${sql.lit(lowest)}`)
      .execute(),
  ]);
  const windows = [
    ...days.map((cycle) => ({
      cycle,
      kind: 'daily' as const,
      limit: cycle.daily_quota,
      window: `${cycle.activation_id}:${today}`,
      renewsOn: addDays(today, 1),
    })),
    ...months.map((cycle) => ({
      cycle,
      kind: 'monthly' as const,
      limit: cycle.monthly_quota,
      window: cycle.id,
      renewsOn: cycle.to_date,
    })),
  ];
  const occasionOf = ({ kind, window }: (typeof windows)[number], percent: number) =>
    `quota:${kind}:${window}:${percent}`;
  const told = await toldOccasions(
    portal,
    windows.flatMap((each) => quotaNotices.map((percent) => occasionOf(each, percent))),
  );
  for (const each of windows) {
    const { cycle, kind, limit, renewsOn } = each;
    const notice = quotaNoticeReached(cycle.used, limit);
    // Whoever was told of 100 % need not hear of 80 %.
    const known = quotaNotices.some((percent) => percent >= (notice ?? 0) && told.has(occasionOf(each, percent)));
    if (notice === undefined || known) continue;
    const letter = quotaUsed(namedPlan(portal, cycle), { kind, notice, used: cycle.used, limit, renewsOn });
    const caller = { customerId: cycle.customer_id };
    const occasion = occasionOf(each, notice);
    const data = { quota: kind, percent: notice, used: cycle.used, limit, renewsOn };
    await transaction(portal.db, async (tx) => {
      await writeMail(portal, caller, tx, occasion, letter);
      await announce(portal, caller, tx, { type: 'quota.reached', occasion, cycleId: cycle.id, data });
    });
  }
}

function runningCycles(portal: Portal, today: Day) {
  return portal.db
    .selectFrom('cycles')
    .selectAll('cycles')
    .where('cycles.status', 'in', ['PAID', 'NO_PAYMENT_REQUIRED'])
    .where('cycles.from_date', '<=', today)
    .where('cycles.to_date', '>', today);
}

async function toldOccasions(portal: Portal, occasions: string[]): Promise<Set<string>> {
  if (occasions.length === 0) return new Set();
  const rows = await portal.db.selectFrom('mails').select('occasion').where('occasion', 'in', occasions).execute();
  return new Set(rows.map((row) => row.occasion));
}
