import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import { sqlState } from '#shared/database/transaction.ts';
import type { TestDatabase } from '#shared/database/test-database.ts';
import { activate, addCycle, type Customer, type PlanTerms } from './world.ts';

/** On a busy machine a gateway may take longer than a customer waits; unconfirmed-change.test.ts shows what happens then. */
const confirmedWithinMs = 60_000;

/** Changes the access of an activation. True if every live gateway has confirmed the change. */
export async function changeAccessOf(
  { db }: Pick<TestDatabase, 'db'>,
  activationId: string,
  work: (tx: AccessChange['tx']) => Promise<unknown>,
): Promise<boolean> {
  const { effectiveBy } = await changeAccess(
    { db, log: { error: () => {} } },
    async (change) => {
      change.announce(activationId);
      await work(change.tx);
    },
    confirmedWithinMs,
  );
  return effectiveBy === null;
}

/** Revokes a key. True if every live gateway refuses it from now on. */
export function revokeKey(database: Pick<TestDatabase, 'db'>, activationId: string, keyId: string): Promise<boolean> {
  return changeAccessOf(database, activationId, (tx) =>
    tx.updateTable('api_keys').set({ revoked_at: new Date() }).where('id', '=', keyId).execute(),
  );
}

/** Deletes an activation and activates its product again for the same customer, like the portal. */
export async function activateAgain(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  before: Pick<Customer, 'activationId'>,
  terms: PlanTerms,
): Promise<Customer> {
  const { activationId } = before;
  const ended = { status: 'DEACTIVATED', ended_at: new Date() } as const;
  await changeAccessOf({ db }, activationId, async (tx) => {
    await tx
      .updateTable('cycles')
      .set(ended)
      .where('activation_id', '=', activationId)
      .where('status', 'in', ['PAID', 'NO_PAYMENT_REQUIRED'])
      .execute();
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('activation_id', '=', activationId)
      .where('revoked_at', 'is', null)
      .execute();
    await tx.updateTable('activations').set({ deleted_at: new Date() }).where('id', '=', activationId).execute();
  });
  const { customer_id } = await db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  return activate(pool, customer_id, terms);
}

/** Ends the cycle of an activation, adds another one from today, and returns its id. */
export async function changePlan(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  { activationId }: Pick<Customer, 'activationId'>,
  terms: PlanTerms,
): Promise<string> {
  await changeAccessOf({ db }, activationId, (tx) =>
    tx
      .updateTable('cycles')
      .set({ status: 'DEACTIVATED', ended_at: new Date() })
      .where('activation_id', '=', activationId)
      .where('status', 'in', ['PAID', 'NO_PAYMENT_REQUIRED'])
      .execute(),
  );
  const cycleId = await addCycle(pool, activationId, terms);
  await changeAccessOf({ db }, activationId, async () => {});
  return cycleId;
}

/** Adds a paid pack to a running cycle. Skips the triggers, since they require a payment. */
export async function addPack(
  { owner }: Pick<TestDatabase, 'owner'>,
  { activationId, cycleId }: Pick<Customer, 'activationId' | 'cycleId'>,
  units: number,
): Promise<void> {
  await changeAccessOf(owner, activationId, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota,
        monthly_quota, rps, created_at, paid_at, adds_to)
      select ${`CYC-${randomUUID()}`}, activation_id, customer_id, service_id, 'PAID', (now() at time zone 'Asia/Kolkata')::date, to_date,
        '{"name": "Pack"}', 'MONTHLY', 100, ${units}, ${units}, rps, now(), now(), id from cycles where id = ${cycleId}`.execute(
      tx,
    );
    await sql`set local session_replication_role = origin`.execute(tx);
  });
}

/** Ends what was sold to an activation, plans and packs. Skips the triggers, since they require a payment. */
export async function endSold(
  { owner }: Pick<TestDatabase, 'owner'>,
  { activationId }: Pick<Customer, 'activationId'>,
): Promise<void> {
  await changeAccessOf(owner, activationId, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update cycles set status = 'DEACTIVATED', ended_at = now() where activation_id = ${activationId} and status = 'PAID'`.execute(
      tx,
    );
    await sql`set local session_replication_role = origin`.execute(tx);
  });
}

const checkViolation = '23514';

/** Adds units to the quota of a cycle as an operator does, or takes them back. False when more than that is used, and nothing was changed. */
export async function addRaise(
  { db }: Pick<TestDatabase, 'db'>,
  { activationId, cycleId }: Pick<Customer, 'activationId' | 'cycleId'>,
  units: number,
): Promise<boolean> {
  try {
    await changeAccessOf({ db }, activationId, async (tx) => {
      await sql`insert into operator_actions (actor, action, target, customer_id, reason, effect)
        select 'test', 'quota.set', id, customer_id, 'A test', jsonb_build_object('units', ${units}::integer) from cycles
        where id = ${cycleId}`.execute(tx);
      await sql`insert into quota_raises (cycle_id, customer_id, units, reason, made_at)
        select id, customer_id, ${units}, 'A test', now() from cycles where id = ${cycleId}`.execute(tx);
    });
    return true;
  } catch (error) {
    if (sqlState(error) === checkViolation) return false;
    throw error;
  }
}
