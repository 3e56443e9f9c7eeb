import type { Db, Tx } from '#shared/database/connect.ts';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Day } from '#shared/domain/day.ts';
import { longestBackoffMs, retryBackoffMs } from '#shared/domain/payment.ts';
import { derivedId } from '#server/crypto/ids.ts';
import type { Owner } from '#server/portal.ts';
import type { DebitRow } from './store.ts';

/** Longer than an attempt takes, so that no two send one debit. So long after it, the provider is asked what came of it. */
const leastWaitMs = 60_000;

export function selectDebit(db: Db | Tx, orderId: string): Promise<DebitRow | undefined> {
  return db.selectFrom('mandate_debits').selectAll().where('order_id', '=', orderId).executeTakeFirst();
}

/**
 * The order of a debit, and its receipt at the provider. It follows from what is debited: a restored database asks for the same one again, and finds
 * what was asked for since the backup.
 */
export const orderIdOfDebit = (mandateId: string, firstDay: Day, attempt: number): string =>
  derivedId('ORD', `${mandateId} ${firstDay} ${attempt}`);

/** The same of a pack, which is known by the plan and what that could use without it. */
export const orderIdOfRecharge = (mandateId: string, cycleId: string, quotaUnits: number): string =>
  derivedId('ORD', `${mandateId} ${cycleId} ${quotaUnits}`);

const debitsWithOutcome = (owner: Owner, db: Db | Tx, activationId: string) =>
  db
    .selectFrom('mandate_debits')
    .innerJoin('cycles', 'cycles.id', 'mandate_debits.cycle_id')
    .leftJoin('payments', (join) =>
      join.onRef('payments.order_id', '=', 'mandate_debits.order_id').on('payments.status', '=', 'captured'),
    )
    .selectAll('mandate_debits')
    .select(['cycles.status as cycle_status', 'payments.status as payment_status'])
    .where('mandate_debits.customer_id', '=', owner.customerId)
    .where('mandate_debits.activation_id', '=', activationId);

/** For the period that begins on a day, oldest first; also those of a cycle that was removed or given back. `captured`: what its order got, or null. */
export function selectDebits(owner: Owner, db: Db | Tx, activationId: string, firstDay: Day) {
  return debitsWithOutcome(owner, db, activationId)
    .distinctOn(['mandate_debits.attempt'])
    .where('mandate_debits.first_day', '=', firstDay)
    .orderBy('mandate_debits.attempt')
    .execute();
}

/** Those that were announced for another day, and whose cycle begins on this one: the provider has given days since. */
export function selectMovedDebits(owner: Owner, db: Db | Tx, activationId: string, firstDay: Day) {
  return debitsWithOutcome(owner, db, activationId)
    .distinctOn(['mandate_debits.order_id'])
    .where('mandate_debits.first_day', '<>', firstDay)
    .where('cycles.from_date', '=', firstDay)
    .orderBy('mandate_debits.order_id')
    .execute();
}

/** The newest first. */
export function selectDebitsOf(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  of: 'periods' | 'packs',
): Promise<DebitRow[]> {
  return db
    .selectFrom('mandate_debits')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('activation_id', '=', activationId)
    .where('first_day', of === 'packs' ? 'is' : 'is not', null)
    .orderBy('asked_at', 'desc')
    .limit(24)
    .execute();
}

/** A debit to be sent at once. The database refuses one that the mandate does not allow. */
export async function insertDebit(
  owner: Owner,
  tx: Tx,
  debit: Pick<
    DebitRow,
    'order_id' | 'mandate_id' | 'cycle_id' | 'activation_id' | 'first_day' | 'attempt' | 'amount_paise'
  >,
  now: Date,
  machineNow: Date,
): Promise<void> {
  await tx
    .insertInto('mandate_debits')
    .values({
      ...debit,
      customer_id: owner.customerId,
      state: 'ASKED',
      payment_id: null,
      reason: null,
      asked_at: now,
      sent_at: null,
      ended_at: null,
      next_try_at: machineNow,
    })
    .execute();
}

/** Claims the debits that are to be sent; the next attempt is scheduled before the provider is called. */
export function claimDueDebits(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestBackoffMs },
    (tx, isDue) =>
      tx.selectFrom('mandate_debits').select(['order_id', 'tries']).where(isDue('next_try_at')).orderBy('next_try_at'),
    async (tx, { order_id: id, tries }) => {
      const next = new Date(nowMs + Math.max(leastWaitMs, retryBackoffMs(tries)));
      await tx
        .updateTable('mandate_debits')
        .set({ tries: tries + 1, next_try_at: next })
        .where('order_id', '=', id)
        .execute();
      return id;
    },
  );
}

type Outcome =
  | { state: 'SENT' | 'PAID'; paymentId: string }
  /** `isRefunded`: it was taken, and given back. */
  | { state: 'FAILED'; paymentId: string | null; reason: string | null; isRefunded: boolean };

/** From which state each may follow; a bank may pay after all what it said had failed, or what the provider had not heard of. */
const before = {
  SENT: ['ASKED', 'DROPPED'],
  PAID: ['ASKED', 'SENT', 'FAILED', 'DROPPED'],
  FAILED: ['ASKED', 'SENT', 'DROPPED'],
} as const;
/** What the provider refused to make a payment for; where there is one, that has a result of its own. */
const unsent = ['ASKED'] as const;

/** A debit that was not sent, nor given up, since it was read: a process may stand still for longer than until the next attempt of another one. */
const sinceRead = (tx: Db | Tx, { order_id: orderId, sent_at: sentAt }: DebitRow) =>
  tx
    .updateTable('mandate_debits')
    .where('order_id', '=', orderId)
    .where('state', '=', 'ASKED')
    .where('sent_at', 'is not distinct from', sentAt);

/** From now on the provider may make its payment; without a response it is looked up soon. False when another attempt has begun. */
export async function updateSending(tx: Tx, read: DebitRow, now: Date, machineMs: number): Promise<boolean> {
  const sending = { sent_at: now, next_try_at: new Date(machineMs + leastWaitMs) };
  return (await sinceRead(tx, read).set(sending).returning('order_id').executeTakeFirst()) !== undefined;
}

/** The provider has not heard of it: it is in nobody's way until the next attempt. */
export async function updateUnsent(tx: Tx, read: DebitRow): Promise<void> {
  await sinceRead(tx, read).set({ sent_at: null }).execute();
}

/** Returns whether it is given up. */
export async function updateDropped(tx: Tx, read: DebitRow, now: Date): Promise<boolean> {
  const dropped = { state: 'DROPPED', next_try_at: null, ended_at: now } as const;
  return (await sinceRead(tx, read).set(dropped).returning('order_id').executeTakeFirst()) !== undefined;
}

/**
 * Returns the debit when that is news. It keeps the first payment of its order; another one may pay it, and when that fails the first one still
 * counts.
 */
export function updateDebit(tx: Db | Tx, orderId: string, to: Outcome, now: Date): Promise<DebitRow | undefined> {
  const { state } = to;
  const { paymentId } = to;
  let update = tx
    .updateTable('mandate_debits')
    .set((debit) => ({
      state,
      next_try_at: null,
      ended_at: state === 'SENT' ? null : now,
      reason: state === 'FAILED' ? to.reason : null,
      ...(state === 'SENT' && { sent_at: debit.fn.coalesce('sent_at', debit.val(now)) }),
      ...(paymentId !== null && { payment_id: debit.fn.coalesce('payment_id', debit.val(paymentId)) }),
    }))
    .where('order_id', '=', orderId)
    .where('state', 'in', state === 'FAILED' && paymentId === null ? unsent : before[state]);
  // What was dropped for another try waits beside that one for its result; each pack has one of its own.
  if (state === 'SENT')
    update = update.where((debit) =>
      debit.not(
        debit.exists(
          debit
            .selectFrom('mandate_debits as other')
            .select('other.order_id')
            .whereRef('other.activation_id', '=', 'mandate_debits.activation_id')
            .whereRef('other.first_day', '=', 'mandate_debits.first_day')
            .whereRef('other.order_id', '<>', 'mandate_debits.order_id')
            .where('other.state', 'in', ['ASKED', 'SENT']),
        ),
      ),
    );
  if (state === 'FAILED' && paymentId !== null)
    update = update.where((debit) =>
      debit.or([debit('payment_id', 'is', null), debit('payment_id', '=', paymentId), debit.val(to.isRefunded)]),
    );
  return update.returningAll().executeTakeFirst();
}
