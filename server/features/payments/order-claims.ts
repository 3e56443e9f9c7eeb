import type { Db } from '#shared/database/connect.ts';
import { databaseMs, databaseTime, later } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';

/** The claim of a request that creates an order at the provider: no other one creates it meanwhile. */
export interface OrderClaim {
  /** An earlier request may have created the order although its response was lost. */
  triedBefore: boolean;
  /** Renews the claim no longer. */
  stop: () => void;
  /** Gives it back after a failure, so that the next attempt need not wait; that there was an attempt stays recorded. */
  release: () => Promise<void>;
}

/** The claim of a portal that was killed, or that has lost the database, ends soon. */
const claimMs = 5000;
const renewEveryMs = 1000;

/** Claims an order, and renews the claim until `stop`. Undefined while another request holds it. */
export async function claimOrder(db: Db, orderId: string): Promise<OrderClaim | undefined> {
  const taken = await takeClaim(db, orderId);
  if (!taken) return undefined;
  let held: Date | undefined = taken.until;
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    if (held) held = await renewClaim(db, orderId, held);
  };
  const timer = setInterval(() => {
    // Without a database the claim ends by itself.
    renewing = renewing.then(renew).catch(() => {});
  }, renewEveryMs);
  return {
    triedBefore: taken.triedBefore,
    stop: () => clearInterval(timer),
    release: async () => {
      clearInterval(timer);
      await renewing;
      if (held) await endClaim(db, orderId, held);
    },
  };
}

function takeClaim(db: Db, orderId: string): Promise<{ until: Date; triedBefore: boolean } | undefined> {
  return transaction(db, async (tx) => {
    const free = await tx
      .selectFrom('payment_orders')
      .select('claimed_until')
      .where('id', '=', orderId)
      .where('status', '=', 'CREATING')
      .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<', databaseTime)]))
      .forUpdate()
      .executeTakeFirst();
    if (!free) return undefined;
    const { claimed_until: until } = await tx
      .updateTable('payment_orders')
      .set({ claimed_until: later(databaseMs, claimMs) })
      .where('id', '=', orderId)
      .returning('claimed_until')
      .executeTakeFirstOrThrow();
    return until === null ? undefined : { until, triedBefore: free.claimed_until !== null };
  });
}

/** Undefined: it has ended, and may be another request's by now. */
async function renewClaim(db: Db, orderId: string, held: Date): Promise<Date | undefined> {
  const renewed = await db
    .updateTable('payment_orders')
    .set({ claimed_until: later(databaseMs, claimMs) })
    .where('id', '=', orderId)
    .where('status', '=', 'CREATING')
    .where('claimed_until', '=', held)
    .where('claimed_until', '>', databaseTime)
    .returning('claimed_until')
    .executeTakeFirst();
  return renewed?.claimed_until ?? undefined;
}

async function endClaim(db: Db, orderId: string, held: Date): Promise<void> {
  await db
    .updateTable('payment_orders')
    .set({ claimed_until: later(databaseTime, -1) })
    .where('id', '=', orderId)
    .where('status', '=', 'CREATING')
    .where('claimed_until', '=', held)
    .execute();
}

/** An order, and whether its claim has ended. */
export function selectClaimedOrder(db: Db, orderId: string) {
  return db
    .selectFrom('payment_orders')
    .selectAll()
    .select((of) => of('claimed_until', '<', databaseTime).as('free'))
    .where('id', '=', orderId)
    .executeTakeFirst();
}
