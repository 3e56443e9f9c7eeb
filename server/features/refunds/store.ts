import type { Selectable } from 'kysely';
import { claimRows } from '#database/claim-rows.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Tables } from '#database/tables.ts';
import { dayOf } from '#domain/day.ts';
import { refundWaits } from '#domain/dispute.ts';
import { retryBackoffMs } from '#domain/payment.ts';
import { payoutOf, type RefundPayout } from '#domain/refund-payout.ts';
import type { Caller } from '#server/portal.ts';

export type RefundRow = Selectable<Tables['refunds']>;

/** Promised, but not yet accepted by the provider. */
export function isUnpaid({ status, provider_refund_id }: RefundRow): boolean {
  return status === 'FAILED' || (status === 'STARTED' && provider_refund_id === null);
}

interface OwnRefund {
  id: string;
  paymentId: string;
  cycleId: string;
  amountPaise: number;
  reason: string;
  ofReplaced?: boolean;
  now: Date;
}

/** Decides how a refund is paid out; every refund of the portal is inserted with this. */
async function choosePayout(tx: Tx, { paymentId, cycleId, amountPaise, now }: OwnRefund): Promise<RefundPayout> {
  const { captured_at: capturedAt, amount_paise: paidPaise } = await tx
    .selectFrom('payments')
    .select(['captured_at', 'amount_paise'])
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const capturedOn = dayOf((capturedAt ?? now).getTime());
  const refunds = await selectRefundsOfPayment(tx, paymentId);
  const sent = refunds.filter((refund) => refund.payout === 'PROVIDER');
  const sentPaise = sent.reduce((sum, each) => sum + each.amount_paise - each.covered_paise + each.loss_paise, 0);
  // What paid for no cycle is refunded whole.
  const ofCycle = (await selectLeft(tx, cycleId, paymentId))?.leftPaise ?? paidPaise;
  const leftPaise = Math.min(ofCycle, paidPaise - sentPaise);
  return payoutOf({ amountPaise, leftPaise, capturedOn, today: dayOf(now.getTime()) });
}

const ownRefund = (caller: Caller, refund: OwnRefund, payout: RefundPayout) =>
  ({
    id: refund.id,
    payment_id: refund.paymentId,
    cycle_id: refund.cycleId,
    customer_id: caller.customerId,
    amount_paise: refund.amountPaise,
    reason: refund.reason,
    of_replaced: refund.ofReplaced ?? false,
    status: 'STARTED',
    provider_refund_id: null,
    created_at: refund.now,
    settled_at: null,
    foreign_id: null,
    covers_paise: 0,
    payout,
    // Nobody asks the provider for a transfer.
    ...(payout === 'TRANSFER' ? { next_try_at: null } : {}),
  }) as const;

/**
 * Inserts the portal's own refund of a payment for a cycle, and returns how it is paid out. Undefined when there is one of this origin
 * already: there is never a second.
 */
export async function insertRefund(
  caller: Caller,
  tx: Tx,
  refund: OwnRefund,
  origin: 'PORTAL' | 'EXCESS_TAX' | 'CORRECTION' | 'TDS' = 'PORTAL',
): Promise<RefundPayout | undefined> {
  const payout = await choosePayout(tx, refund);
  const row = await tx
    .insertInto('refunds')
    .values({ ...ownRefund(caller, refund, payout), origin })
    .onConflict((conflict) =>
      conflict
        .columns(['payment_id', 'cycle_id', 'origin'])
        .where('foreign_id', 'is', null)
        .where('origin', '<>', 'OPERATOR')
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row && payout;
}

/** The same for a refund that an operator decided. Undefined when the same amount of this plan was refunded for the same reason before. */
export async function insertOperatorRefund(
  caller: Caller,
  tx: Tx,
  refund: OwnRefund,
): Promise<RefundPayout | undefined> {
  const payout = await choosePayout(tx, refund);
  const row = await tx
    .insertInto('refunds')
    .values({ ...ownRefund(caller, refund, payout), origin: 'OPERATOR' })
    .onConflict((conflict) =>
      conflict
        .columns(['payment_id', 'cycle_id', 'amount_paise', 'reason'])
        .where('origin', '=', 'OPERATOR')
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row && payout;
}

/** By id alone: carrying out refunds has no caller. */
export function selectRefund(db: Db | Tx, refundId: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export function lockRefund(tx: Tx, refundId: string): Promise<RefundRow> {
  return tx.selectFrom('refunds').selectAll().where('id', '=', refundId).forUpdate().executeTakeFirstOrThrow();
}

/** A refund made at the provider without the portal. `dueFromNow`: its state is polled from now on. */
export async function insertForeignRefund(
  caller: Caller,
  tx: Tx,
  refund: {
    id: string;
    origin: 'PROVIDER' | 'DISPUTE';
    foreignId: string;
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    coversPaise: number;
    lossPaise: number;
    reason: string;
    now: Date;
  },
): Promise<RefundRow> {
  const { origin, foreignId } = refund;
  return tx
    .insertInto('refunds')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      cycle_id: refund.cycleId,
      customer_id: caller.customerId,
      amount_paise: refund.amountPaise,
      reason: refund.reason,
      status: 'PENDING',
      provider_refund_id: origin === 'PROVIDER' ? foreignId : null,
      created_at: refund.now,
      settled_at: null,
      origin,
      foreign_id: foreignId,
      covers_paise: refund.coversPaise,
      loss_paise: refund.lossPaise,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All refunds of a payment, oldest first. */
export function selectRefundsOfPayment(db: Db | Tx, providerPaymentId: string): Promise<RefundRow[]> {
  return refundsOfPayment(db, providerPaymentId).execute();
}

/** The same, locked: what of them is still to be paid stays so until the commit. */
export function lockRefundsOfPayment(tx: Tx, providerPaymentId: string): Promise<RefundRow[]> {
  return refundsOfPayment(tx, providerPaymentId).forUpdate().execute();
}

const refundsOfPayment = (db: Db | Tx, providerPaymentId: string) =>
  db.selectFrom('refunds').selectAll().where('payment_id', '=', providerPaymentId).orderBy('created_at').orderBy('id');

/** The payment of a cycle, and how much of it has not been refunded and is not going to be. Undefined when another payment is meant. */
export async function selectLeft(tx: Tx, cycleId: string, paymentId?: string) {
  const row = await tx
    .selectFrom('cycle_payments')
    .select(['provider_payment_id', 'currency', 'amount_paise'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirst();
  if (!row || row.provider_payment_id !== (paymentId ?? row.provider_payment_id)) return undefined;
  const refunds = await selectRefundsOfPayment(tx, row.provider_payment_id);
  const givenBackPaise = refunds
    .filter((refund) => refund.cycle_id === cycleId)
    .reduce((sum, refund) => sum + refund.amount_paise - refund.covers_paise, 0);
  return {
    paymentId: row.provider_payment_id,
    currency: row.currency,
    leftPaise: row.amount_paise - givenBackPaise,
  };
}

/** Claims the refunds that are due; the next attempt is scheduled before each is tried. */
export function claimDueRefunds(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    limit,
    (tx) =>
      tx
        .selectFrom('refunds')
        .select(['id', 'tries'])
        .where('next_try_at', '<=', new Date(nowMs))
        .orderBy('next_try_at'),
    async (tx, { id, tries }) => {
      const next = new Date(nowMs + retryBackoffMs(tries));
      await tx
        .updateTable('refunds')
        .set({ tries: tries + 1, next_try_at: next })
        .where('id', '=', id)
        .execute();
      return id;
    },
  );
}

/** Does a dispute of the payment keep its refunds waiting? */
export async function isDisputed(db: Db | Tx, providerPaymentId: string): Promise<boolean> {
  const disputes = await db
    .selectFrom('disputes')
    .select(['status', 'phase'])
    .where('payment_id', '=', providerPaymentId)
    .execute();
  return disputes.some(refundWaits);
}

/** The waiting refunds of a payment are tried at once. */
export async function wakeRefunds(tx: Tx, providerPaymentId: string, now: Date): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ next_try_at: now, tries: 0 })
    .where('payment_id', '=', providerPaymentId)
    .where('next_try_at', 'is not', null)
    .execute();
}

export async function updateRefund(
  tx: Tx,
  refundId: string,
  change: Partial<
    Pick<
      RefundRow,
      | 'status'
      | 'provider_refund_id'
      | 'settled_at'
      | 'next_try_at'
      | 'attempt'
      | 'covered_paise'
      | 'loss_paise'
      | 'payout'
      | 'utr'
      | 'transferred_on'
      | 'refused_at'
      | 'refusal'
    >
  >,
): Promise<void> {
  await tx.updateTable('refunds').set(change).where('id', '=', refundId).execute();
}

/**
 * Prepares a refund that a bank returned for the next attempt. Its key is new, as the old one would only repeat the old response. Other refunds
 * stay as they are. Requires the row's lock.
 */
export async function beginNextAttempt(tx: Tx, refund: RefundRow): Promise<RefundRow> {
  if (refund.status !== 'FAILED') return refund;
  const next = { status: 'STARTED', attempt: refund.attempt + 1, provider_refund_id: null } as const;
  await updateRefund(tx, refund.id, next);
  return { ...refund, ...next };
}

export function selectRefunds(caller: Caller, db: Db) {
  return db.selectFrom('refunds').selectAll().where('customer_id', '=', caller.customerId).execute();
}
