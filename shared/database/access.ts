import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#shared/platform/log.ts';
import type { Db, Tx } from './connect.ts';
import { databaseTime, sumOf } from './expressions.ts';
import { transaction } from './transaction.ts';

/**
 * Propagates changes of access (a key created or revoked, a cycle paid, ended or removed, an activation deleted) to
 * every gateway: announced inside the transaction that makes the change, awaited after the commit and before the
 * response.
 */

/** The channel on which gateways listen: `activation <id>`, then `barrier <version>` once per change. */
export const accessChannel = 'access';

/** The channel for catalogues: `prepare <version>`, then `use <version>` before the barrier of its change. */
export const catalogChannel = 'catalog';

/** A gateway may use its cache only while its lease is valid; it renews the lease every second. */
export const gatewayLeaseMs = 3000;

/**
 * A gateway that has not confirmed a change after this time can't renew its lease: it has to restart with an empty
 * cache.
 */
export const heardWithinMs = 2000;

/** Long enough for the lease of a dead gateway to expire. */
const confirmedWithinMs = gatewayLeaseMs + 500;

/**
 * A transaction that changes access. Everything that writes data which gateways cache requires one, and only
 * `changeAccess` creates one, so no change can miss its announcement.
 */
class AccessChange {
  readonly tx: Tx;
  readonly activations = new Set<string>();
  catalogVersion: number | null = null;

  constructor(tx: Tx) {
    this.tx = tx;
  }

  /** At the commit, every gateway is told to drop its cache of this activation. */
  announce(activationId: string): void {
    this.activations.add(activationId);
  }

  /** At the commit, every gateway starts to serve this version of the catalogue. */
  announceCatalog(version: number): void {
    this.catalogVersion = version;
  }
}
export type { AccessChange };

interface Changed<Result> {
  result: Result;
  /**
   * Null when every gateway applies the change. Otherwise some gateway has not confirmed it in time, and from this
   * moment (ISO 8601) no gateway can use the old state.
   */
  effectiveBy: string | null;
}

/**
 * Runs a transaction that may change access, and waits until every living gateway has dropped its old state. A gateway
 * that does not confirm in time is logged as an error and counted in `gateways.unconfirmed_changes`.
 */
export async function changeAccess<Result>(
  { db, log }: { db: Db; log: Pick<Log, 'error'> },
  work: (change: AccessChange) => Promise<Result>,
  withinMs = confirmedWithinMs,
): Promise<Changed<Result>> {
  const { result, announced, catalogVersion } = await transaction(db, async (tx) => {
    const change = new AccessChange(tx);
    const result = await work(change);
    const activations = [...change.activations];
    const { catalogVersion } = change;
    // Last statement of the transaction: until the commit, no other change can get its number.
    if (activations.length > 0 || catalogVersion !== null)
      await sql`select announce_access_change(${activations}, ${catalogVersion})`.execute(tx);
    return { result, announced: activations, catalogVersion };
  });
  if (announced.length === 0 && catalogVersion === null) return { result, effectiveBy: null };
  const about = { activations: announced, catalogVersion };
  const { gateways, effectiveBy } = await awaitNewestChange({ db, log }, about, withinMs);
  if (gateways.length === 0) return { result, effectiveBy };
  log.error({ gateways, ...about, effectiveBy }, 'a gateway has not confirmed a change of access');
  try {
    await db
      .updateTable('gateways')
      .set((column) => ({ unconfirmed_changes: column('unconfirmed_changes', '+', 1) }))
      .where('journal_id', 'in', gateways)
      .execute();
  } catch (error) {
    log.error({ err: error, gateways }, 'could not count an unconfirmed change of access');
  }
  return { result, effectiveBy };
}

/** The same wait after a change that another process has committed, perhaps just now. */
export async function whenInEffect(by: { db: Db; log: Pick<Log, 'error'> }): Promise<string | null> {
  return (await awaitNewestChange(by, {}, confirmedWithinMs)).effectiveBy;
}

/** The gateways that have not confirmed the newest change in time. Whatever fails here, the caller learns what is known. */
async function awaitNewestChange(
  { db, log }: { db: Db; log: Pick<Log, 'error'> },
  about: object,
  withinMs: number,
): Promise<{ gateways: string[]; effectiveBy: string | null }> {
  let effectiveBy = latestEffect(new Date());
  try {
    const { version, now } = await newestChange(db);
    effectiveBy = latestEffect(now);
    const gateways = await awaitGateways(db, version, withinMs);
    return { gateways, effectiveBy: gateways.length === 0 ? null : effectiveBy };
  } catch (error) {
    log.error(
      { err: error, ...about, effectiveBy },
      'could not check whether gateways have applied a change of access',
    );
    return { gateways: [], effectiveBy };
  }
}

/** How many changes of access were not confirmed in time, summed over all gateways. */
export async function countUnconfirmedChanges(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('gateways')
    .select((gateway) => sumOf(gateway.ref('unconfirmed_changes')).as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The end of the last lease that a gateway can hold without having received a change committed at `committed`. */
function latestEffect(committed: Date): string {
  return new Date(committed.getTime() + heardWithinMs + gatewayLeaseMs).toISOString();
}

/** The latest committed change, and the current time of the database. */
async function newestChange(db: Db): Promise<{ version: number; now: Date }> {
  return db
    .selectFrom('access_changes')
    .select((change) => [
      change.fn.coalesce(change.fn.max('version'), change.lit(0)).as('version'),
      databaseTime.as('now'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Waits until every living gateway has received a change. Changes are numbered in commit order, so a gateway that has
 * received one has received all before it. Returns the journals of the gateways that have not confirmed in time.
 */
async function awaitGateways(db: Db, version: number, withinMs: number): Promise<string[]> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 20)) {
    // Both times come from the database's clock: gateways renew with it too.
    const behind = await db
      .selectFrom('gateways')
      .select('journal_id')
      .where('seen_version', '<', version)
      .where('lease_until', '>', databaseTime)
      .orderBy('journal_id')
      .execute();
    if (behind.length === 0 || performance.now() >= deadline) return behind.map((gateway) => gateway.journal_id);
    await sleep(pauseMs);
  }
}
