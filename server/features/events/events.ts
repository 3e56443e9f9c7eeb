import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { dedupeKeyOf, type PortalEvent } from '#domain/event.ts';
import type { Caller, EventContext } from '#server/portal.ts';

/**
 * Says that something happened to a customer, in the transaction of its cause: its mails and webhook deliveries are written there too,
 * or nothing is. An event happens once, however often it is said.
 */
export async function happened(portal: EventContext, caller: Caller, tx: Tx, event: PortalEvent): Promise<void> {
  const isNew = await tx
    .insertInto('event_keys')
    .values({
      dedupe_key: dedupeKeyOf(event),
      customer_id: caller.customerId,
      happened_at: new Date(portal.clock()),
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('dedupe_key')
    .executeTakeFirst();
  if (!isNew) return;
  for (const hear of portal.subscribers) await hear(portal, caller, tx, event);
}

/** Which of these keys belong to events that have happened; there may be any number of them. */
export async function selectHappened(db: Db, dedupeKeys: string[]): Promise<Set<string>> {
  if (dedupeKeys.length === 0) return new Set();
  // One array and not a list: a statement takes 65,535 parameters at most.
  const rows = await db
    .selectFrom('event_keys')
    .select('dedupe_key')
    .where('dedupe_key', '=', sql<string>`any(${dedupeKeys})`)
    .execute();
  return new Set(rows.map((row) => row.dedupe_key));
}
