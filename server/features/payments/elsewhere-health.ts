import { countRows, leastOf } from '#shared/database/expressions.ts';
import type { Portal } from '#server/portal.ts';

const weekMs = 7 * 86_400_000;

/** For /backend/health: refunds made at the provider in the last seven days, and open disputes. */
export async function readMoneyElsewhere(
  portal: Portal,
): Promise<{ refundsInWeek: number; openDisputes: number; respondBy: string | null }> {
  const { refundsInWeek } = await portal.db
    .selectFrom('refunds')
    .select(countRows().as('refundsInWeek'))
    .where('foreign_id', 'is not', null)
    .where('created_at', '>', new Date(portal.clock() - weekMs))
    .executeTakeFirstOrThrow();
  const { openDisputes, respondBy } = await portal.db
    .selectFrom('disputes')
    .select((dispute) => [countRows().as('openDisputes'), leastOf(dispute.ref('respond_by')).as('respondBy')])
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { refundsInWeek, openDisputes, respondBy: respondBy?.toISOString() ?? null };
}
