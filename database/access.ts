import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from './connect.ts';

/**
 * How a change of access (a key made or revoked, a cycle paid, ended or removed, an activation deleted) reaches every gateway:
 * announced inside the transaction that changes it, awaited after the commit and before the answer.
 */

/** The channel on which gateways listen: `activation <id>`, or `barrier <version>`. */
export const accessChannel = 'access';

/**
 * A gateway trusts what it remembers only while its lease runs, which it renews every second. A gateway that can't be told is waited
 * for no longer than this; from then on it asks the database about each call.
 */
export const gatewayLeaseMs = 3000;

/** Tells every gateway, at the commit of this transaction, to forget what it knows of an activation. */
export async function announceAccessChange(tx: Tx, activationId: string): Promise<void> {
  await sql`select pg_notify(${accessChannel}, ${`activation ${activationId}`})`.execute(tx);
}

/**
 * Waits, after the commit, until every living gateway has forgotten what it knew before. Notifications arrive everywhere in the order of
 * their commits; a gateway that has seen a barrier has therefore seen every change that was committed before it.
 * Returns false when a gateway that keeps its lease did not answer in time, which is a fault of that gateway.
 */
export async function awaitAccessChange(db: Db): Promise<boolean> {
  const version = await raiseBarrier(db);
  const deadline = performance.now() + gatewayLeaseMs * 2;
  for (let pauseMs = 1; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 20)) {
    // The database's clock on both sides: gateways renew with it too.
    const behind = await db
      .selectFrom('gateways')
      .select('journal_id')
      .where('seen_version', '<', version)
      .where('lease_until', '>', sql<Date>`clock_timestamp()`)
      .limit(1)
      .executeTakeFirst();
    if (behind === undefined) return true;
    await sleep(pauseMs);
  }
  return false;
}

async function raiseBarrier(db: Db): Promise<number> {
  const raised = await sql<{ version: number }>`
    with raised as (select nextval('access_version') as version)
    select version, pg_notify(${accessChannel}, 'barrier ' || version) from raised`.execute(db);
  const version = raised.rows[0]?.version;
  if (version === undefined) throw new Error('the database gave no number for a change of access');
  return version;
}
