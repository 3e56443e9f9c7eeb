import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import type { Owner } from '#server/portal.ts';

/** As long as gateways wait for each other's replies; those of calls that still run stay held. */
const longestMs = 1500;
const lookMs = 20;

/**
 * Has the gateways return the units of the owner's activation that no call uses, if it matters: a pack or a plan of which a gateway only
 * holds units in advance is not used (product §4.12, §4.23).
 */
export async function returnUnusedUnits(db: Db, { customerId }: Owner, activationId: string): Promise<void> {
  const held = db
    .selectFrom('cycles')
    .innerJoin('leases', (join) =>
      join.on((lease) =>
        lease.or([
          lease('leases.cycle_id', '=', lease.ref('cycles.id')),
          lease('leases.cycle_id', '=', lease.ref('cycles.adds_to')),
        ]),
      ),
    )
    .select('cycles.id')
    .where('cycles.customer_id', '=', customerId)
    .where('cycles.activation_id', '=', activationId)
    .where('cycles.status', '=', 'PAID')
    .where((cycle) =>
      cycle.or([
        cycle('cycles.adds_to', 'is not', null),
        cycle(cycle.ref('cycles.plan', '->>').key('onDeactivate'), '=', 'refund-unused'),
      ]),
    )
    .where('leases.held', '>', 0)
    .limit(1);
  const isHeld = async (): Promise<boolean> => (await held.executeTakeFirst()) !== undefined;
  if (!(await isHeld())) return;
  await sql`select pg_notify('quota', ${`recall portal/${randomUUID()} ${activationId}`})`.execute(db);
  for (const until = performance.now() + longestMs; performance.now() < until && (await isHeld());) await sleep(lookMs);
}

/** The same before a payment is settled that may be for a switch: the plan that it replaces ends with its packs. */
export async function returnUnitsBeforeSwitch(
  db: Db,
  owner: Owner,
  { activationId, cycleId }: { activationId: string; cycleId: string },
): Promise<void> {
  const found = await db
    .selectFrom('cycles')
    .select('replaces')
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .where('status', '=', 'PAYMENT_PENDING')
    .executeTakeFirst();
  if (found !== undefined && found.replaces !== null) await returnUnusedUnits(db, owner, activationId);
}
