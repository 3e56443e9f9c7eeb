import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day, startOfDay } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** Past calls are counted under a journal of their own, as if by a gateway that no longer exists. */
const journalId = 'demo';

/** An activation's share of its daily quota, from 0 to 1, on a day. */
export type Appetite = (day: Day) => number;

/** Grows slowly, drops at weekends, and varies every day. `most`: the share on a busy day at the end. */
export function growing(from: Day, to: Day, most: number): Appetite {
  const whole = Math.max(1, startOfDay(to) - startOfDay(from));
  return (day) => {
    const grown = 0.35 + 0.65 * Math.min(1, (startOfDay(day) - startOfDay(from)) / whole);
    const weekday = new Date(startOfDay(day)).getUTCDay();
    // The IST midnight of a Sunday lies on Saturday in UTC.
    const rest = weekday === 6 ? 0.25 : weekday === 5 ? 0.55 : 1;
    return most * grown * rest * (0.82 + 0.18 * wobble(day));
  };
}

/**
 * Counts the calls of a cycle from its first day up to today the way the gateway does: units are taken from both quotas
 * (take_quota), which limits them, and counted (count_journal). `onToday`: today's share.
 */
export async function countCallsOf(
  db: Db,
  cycle: { id: string; activationId: string; fromDate: Day; toDate: Day; dailyQuota: number },
  keyIds: readonly string[],
  appetite: Appetite,
  until: { today: Day; onToday?: number },
): Promise<void> {
  await sql`insert into journals (id, position) values (${journalId}, 0) on conflict do nothing`.execute(db);
  for (let day = cycle.fromDate; day < cycle.toDate && day <= until.today; day = addDays(day, 1)) {
    const share = day === until.today ? (until.onToday ?? appetite(day)) : appetite(day);
    const wanted = Math.round(cycle.dailyQuota * Math.min(1, share));
    if (wanted === 0) continue;
    const taken = await sql`
      select granted from take_quota(${journalId}, ${cycle.activationId}, ${cycle.id}, ${day}, '', ${wanted}, 0, '')
    `.execute(db);
    const [grant] = checkedRows(z.object({ granted: z.number() }), taken);
    await count(db, cycle, keyIds, day, grant?.granted ?? 0);
  }
  await sql`delete from leases where journal_id = ${journalId} and held = 0`.execute(db);
}

async function count(
  db: Db,
  cycle: { id: string; activationId: string },
  keyIds: readonly string[],
  day: Day,
  granted: number,
): Promise<void> {
  // The first key does most of the work; a few responses in every hundred are "not found".
  const parts = keyIds.map((keyId, index) => ({ keyId, calls: Math.floor((granted * (index === 0 ? 8 : 2)) / 10) }));
  const first = parts[0];
  if (first === undefined) return;
  first.calls += granted - parts.reduce((sum, { calls }) => sum + calls, 0);
  const last = new Date(startOfDay(day) + 9 * 3_600_000).toISOString();
  const shared = { activation: cycle.activationId, cycle: cycle.id, day, last };
  const calls = parts.flatMap(({ keyId: key, calls: all }) => {
    const notFound = Math.floor(all * 0.03);
    const failed = Math.floor(all * 0.004);
    return [
      { ...shared, key, class: 2, counted: true, calls: all - notFound },
      { ...shared, key, class: 4, counted: true, calls: notFound },
      { ...shared, key, class: 5, counted: false, calls: failed },
    ].filter((row) => row.calls > 0);
  });
  await sql`
    select counted.* from journals, count_journal(id, position, position + 1, ${JSON.stringify(calls)}::jsonb) counted
    where id = ${journalId}
  `.execute(db);
}

/** A pseudo-random number from 0 to 1, the same for a day on every run. */
function wobble(day: Day): number {
  const seed = Math.sin(startOfDay(day) / 86_400_000) * 10_000;
  return seed - Math.floor(seed);
}
