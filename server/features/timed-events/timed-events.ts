import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { RoundScope } from '#server/rounds/changes.ts';
import type { Portal } from '#server/portal.ts';
import { happened, notHappenedYet } from '#server/features/events/events.ts';

export { announceDeprecations } from './deprecations.ts';
export { unrenewedPlans } from './reminders.ts';
export { timedSteps } from './timed-steps.ts';

/** The step of the rounds that announces them. */
export const startsAndEnds = 'starts and ends of plans';

type StartOrEnd = 'cycle.activated' | 'cycle.ended';

/**
 * Announces the cycles that started or ended by time alone in the last three days; each once, however often this is called. A webhook
 * gets only events after its creation.
 */
export async function announceStartsAndEnds(portal: Portal, today: Day, scope: RoundScope): Promise<void> {
  for (const [type, date] of [
    ['cycle.activated', 'from_date'],
    ['cycle.ended', 'to_date'],
  ] as const) {
    for (const { id, customer_id: customerId } of await selectStartedOrEnded(portal.db, type, date, today, scope)) {
      await scope.items.each(customerId, () =>
        transaction(portal.db, (tx) => happened(portal, { customerId }, tx, startOrEndOf(type, id))),
      );
    }
  }
}

function startOrEndOf(type: StartOrEnd, cycleId: string): PortalEvent {
  return type === 'cycle.activated' ? { type, cycleId } : { type, cycleId, reason: 'expired' };
}

/** Cycles that started or ended recently and have a webhook from before that time, the customer's or the provider's, but no such event yet. */
function selectStartedOrEnded(
  db: Db,
  type: StartOrEnd,
  date: 'from_date' | 'to_date',
  today: Day,
  { customers }: RoundScope,
) {
  let query = db
    .selectFrom('cycles')
    .select(['cycles.id', 'cycles.customer_id'])
    .where('cycles.status', 'in', accessStatuses)
    .where('cycles.adds_to', 'is', null)
    .where(`cycles.${date}`, '>', addDays(today, -3))
    .where(`cycles.${date}`, '<=', today)
    .where((where) =>
      where.exists(
        where
          .selectFrom('webhooks')
          .select('webhooks.id')
          .where((webhook) =>
            webhook.or([
              webhook('webhooks.customer_id', '=', webhook.ref('cycles.customer_id')),
              webhook('webhooks.customer_id', 'is', null),
            ]),
          )
          .where('webhooks.disabled_at', 'is', null)
          .where((webhook) => webhook(webhook.val<string>(type), '=', webhook.fn.any('webhooks.events')))
          .where(condition`(webhooks.created_at at time zone 'Asia/Kolkata')::date < ${sql.ref(`cycles.${date}`)}`),
      ),
    )
    .where(notHappenedYet(startOrEndOf(type, ''), 'cycles.id'));
  if (customers !== 'all')
    query = query.where((cycle) => cycle('cycles.customer_id', '=', cycle.fn.any(cycle.val(customers))));
  return query.execute();
}
