import { sql } from 'kysely';
import { z } from 'zod';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import { grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type AskedPage, pageOf, pastPage } from '#server/operator-pages.ts';

/** The plans and packs of a customer, newest first. */
export async function listCyclesOf(
  db: Db,
  customerId: string,
  today: Day,
  { after, limit }: AskedPage,
): Promise<OperatorReply<'listCycles'>> {
  const read = await db
    .selectFrom('cycles')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .selectAll('cycles')
    .select((of) => ['activations.calls_per_second', of.fn<number>('pack_units', ['cycles.id']).as('added')])
    .where('cycles.customer_id', '=', customerId)
    .where(await pastPage(db, 'cycles', { time: 'created_at', id: 'id' }, after))
    .orderBy('cycles.created_at', 'desc')
    .orderBy('cycles.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, next } = pageOf(read, limit, ({ id }) => id);
  const dated = rows.map((row) => {
    const phase = phaseOf({ fromDate: row.from_date, toDate: row.to_date }, today);
    return { row, phase, givesAccess: grantsAccess(row.status) && row.adds_to === null };
  });
  const running = dated.filter(({ phase, givesAccess }) => givesAccess && phase === 'running');
  const used = await selectUsed(
    db,
    running.map(({ row }) => row.id),
    today,
  );
  return {
    cycles: dated.map(({ row, phase, givesAccess }) => {
      const added = row.adds_to === null ? row.added : 0;
      return {
        id: row.id,
        activationId: row.activation_id,
        productId: row.service_id,
        planName: row.plan.name,
        status: row.status,
        fromDate: row.from_date,
        toDate: row.to_date,
        price: rupees(row.price_paise),
        granted: row.granted_reason,
        addsTo: row.adds_to,
        replaces: row.replaces,
        createdAt: row.created_at.toISOString(),
        paidAt: row.paid_at?.toISOString() ?? null,
        endedAt: row.ended_at?.toISOString() ?? null,
        dailyQuota: row.daily_quota + added,
        monthlyQuota: row.monthly_quota + added,
        callsPerSecond: givesAccess && phase !== 'over' ? (row.calls_per_second ?? row.rps) : row.rps,
        used: used.get(row.id) ?? null,
      };
    }),
    next,
  };
}

const usedRow = z.object({ id: z.string(), today: z.number(), inAll: z.number() });

/** What of their quotas these plans have used, as their customer sees it. */
async function selectUsed(db: Db, ids: readonly string[], today: Day) {
  if (ids.length === 0) return new Map<string, { today: number; inAll: number }>();
  const found = await sql`
    select c.id, u.day_used as today, u.cycle_used as "inAll"
    from cycles c cross join lateral quota_used(c.activation_id, c.id, ${today}) u where c.id = any(${ids})`.execute(
    db,
  );
  return new Map(checkedRows(usedRow, found).map(({ id, ...used }) => [id, used]));
}
