import { sql } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { Owner, EventContext } from '#server/portal.ts';

/**
 * Publishes an event of a customer, in the transaction of its cause: its mails and webhook deliveries are written in the same
 * transaction. An event is published once per deduplication key, however often this is called.
 */
export async function happened(portal: EventContext, owner: Owner, tx: Tx, event: PortalEvent): Promise<void> {
  const isNew = await tx
    .insertInto('event_keys')
    .values({
      dedupe_key: dedupeKeyOf(event),
      customer_id: owner.customerId,
      happened_at: new Date(portal.clock()),
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('dedupe_key')
    .executeTakeFirst();
  if (!isNew) return;
  for (const subscriber of portal.subscribers) await subscriber(portal, owner, tx, event);
}

/** A condition of SQL: an event has not happened for the row whose `id` ends its deduplication key. The event names an empty one. */
export function notHappenedYet(event: PortalEvent, id: 'activations.id' | 'cycles.id') {
  const keyBegin = dedupeKeyOf(event);
  return condition`not exists (select from event_keys where dedupe_key = ${keyBegin} || ${sql.ref(id)})`;
}

/** Which of these keys belong to events that have happened; there may be any number of them. */
export async function selectHappened(db: Db, dedupeKeys: string[]): Promise<Set<string>> {
  if (dedupeKeys.length === 0) return new Set();
  // An array parameter, because a statement takes at most 65,535 parameters.
  const rows = await db
    .selectFrom('event_keys')
    .select('dedupe_key')
    .where((key) => key('dedupe_key', '=', key.fn.any(key.val(dedupeKeys))))
    .execute();
  return new Set(rows.map((row) => row.dedupe_key));
}
