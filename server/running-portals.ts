import type { Db, Tx } from '#shared/database/connect.ts';
import { condition, databaseTime, later } from '#shared/database/expressions.ts';

/** Settings by name, as a portal was given them; of a secret only that it is set. */
export type GivenSettings = Record<string, string | true>;

export interface RunningPortal {
  id: string;
  /** Machine and process. */
  name: string;
  given: GivenSettings;
}

/** A portal that is not heard of for this long has ended. */
const leaseMs = 30_000;
export const renewMs = 10_000;

/**
 * The portals that run, first those whose settings are in effect; when none does, the one that ran last. A portal that asks runs,
 * even if the database was away for longer than its lease.
 */
export async function readPortals(db: Db | Tx, asking?: string): Promise<RunningPortal[]> {
  const rows = await db
    .selectFrom('portals')
    .select(['id', 'name', 'given', (row) => row('lease_until', '>', databaseTime).as('has_lease')])
    .orderBy('since', 'desc')
    .orderBy('started_at', 'desc')
    .execute();
  const running = rows.filter(({ id, has_lease: hasLease }) => hasLease || id === asking);
  if (running.length > 0) return running;
  return db
    .selectFrom('portals')
    .select(['id', 'name', 'given'])
    .orderBy('lease_until', 'desc')
    .orderBy('started_at', 'desc')
    .limit(1)
    .execute();
}

/** Whether one of them runs at all. */
export async function hasRunningPortal(db: Db): Promise<boolean> {
  const row = await db.selectFrom('portals').select('id').where('lease_until', '>', databaseTime).executeTakeFirst();
  return row !== undefined;
}

/**
 * Enters a portal, or renews its lease. Settings that a portal had within the last month are as old as they were then: a machine that
 * was forgotten in a change and starts again does not bring the old ones back into effect.
 */
export async function enterPortal(db: Db, { id, name, given }: RunningPortal): Promise<void> {
  const text = JSON.stringify(given);
  await db
    .insertInto('portals')
    .values((row) => ({
      id,
      name,
      given: text,
      since: row.fn.coalesce(
        row
          .selectFrom('portals')
          .select((portal) => portal.fn.min('since').as('since'))
          .where(condition`given = ${text}::jsonb`),
        databaseTime,
      ),
      started_at: databaseTime,
      lease_until: later(databaseTime, leaseMs),
    }))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: later(databaseTime, leaseMs) }))
    .execute();
  // Of each process that ended, the next with the same settings keeps what counts.
  await db
    .deleteFrom('portals')
    .where('id', '<>', id)
    .where('lease_until', '<', databaseTime)
    .where(condition`given = ${text}::jsonb`)
    .execute();
}

/** After a clean stop the portal counts no more. */
export async function leavePortal(db: Db, id: string): Promise<void> {
  await db.updateTable('portals').set({ lease_until: databaseTime }).where('id', '=', id).execute();
}
