import type { Db } from '#shared/database/connect.ts';
import { databaseTime, later } from '#shared/database/expressions.ts';

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
 * The portals that run, the newest first; when none does, the one that ran last. A portal that asks runs, even if the database was
 * away for longer than its lease.
 */
export async function readPortals(db: Db, asking?: string): Promise<RunningPortal[]> {
  const running = await readRunningPortals(db, asking);
  if (running.length > 0) return running;
  return db
    .selectFrom('portals')
    .select(['id', 'name', 'given'])
    .orderBy('lease_until', 'desc')
    .orderBy('started_at', 'desc')
    .limit(1)
    .execute();
}

/** Those that run, the newest first. */
export async function readRunningPortals(db: Db, asking?: string): Promise<RunningPortal[]> {
  const rows = await db
    .selectFrom('portals')
    .select(['id', 'name', 'given', (row) => row('lease_until', '>', databaseTime).as('has_lease')])
    .orderBy('started_at', 'desc')
    .execute();
  return rows.filter(({ id, has_lease: hasLease }) => hasLease || id === asking);
}

/** Enters a portal, or renews its lease, and forgets those that ended. */
export async function enterPortal(db: Db, { id, name, given }: RunningPortal): Promise<void> {
  const lease = { lease_until: later(databaseTime, leaseMs) };
  await db
    .insertInto('portals')
    .values({ id, name, given: JSON.stringify(given), started_at: databaseTime, ...lease })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(lease))
    .execute();
  await db.deleteFrom('portals').where('id', '<>', id).where('lease_until', '<', databaseTime).execute();
}

/** After a clean stop the portal counts no more. */
export async function leavePortal(db: Db, id: string): Promise<void> {
  await db.updateTable('portals').set({ lease_until: databaseTime }).where('id', '=', id).execute();
}
