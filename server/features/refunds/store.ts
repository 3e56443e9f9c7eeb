import type { Selectable } from 'kysely';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { dayOf } from '#shared/domain/day.ts';
import { refundWaits } from '#shared/domain/dispute.ts';
import { longestBackoffMs, retryBackoffMs } from '#shared/domain/payment.ts';
import { keyOf, paidOutOf } from '#shared/domain/refund.ts';
import type { RefundStart } from '#shared/domain/refund-start.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import { excessOrigins } from '#shared/domain/advance.ts';
import {
  paidBackOf,
  type Payout,
  payoutOf,
  type ReversedTax,
  reversedTaxOf,
  withheldOfGst,
  withheldOfRefund,
} from '#shared/domain/refund-payout.ts';
import type { Owner } from '#server/portal.ts';

export type RefundRow = Selectable<Tables['refunds']>;

/** A stored refund, as `shared/domain/foreign-refund.ts` and `shared/domain/refund-payout.ts` know it. */
export const factsOf = ({ id, status, origin, ...row }: RefundRow) => ({
  id,
  status,
  origin,
  cycleId: row.cycle_id,
  amountPaise: row.amount_paise,
  coversPaise: row.covers_paise,
  coveredPaise: row.covered_paise,
  withheldPaise: row.withheld_paise,
});

/** Decides how a refund of the portal is paid out. */
export async function choosePayout(
  db: Db | Tx,
  { paymentId, cycleId, amountPaise }: Pick<RefundStart, 'paymentId' | 'cycleId' | 'amountPaise'>,
  now: Date,
): Promise<Payout> {
  const { captured_at: capturedAt, amount_paise: paidPaise } = await db
    .selectFrom('payments')
    .select(['captured_at', 'amount_paise'])
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const capturedOn = dayOf((capturedAt ?? now).getTime());
  const isOwnTransfer = await isOwn(db, paymentId);
  const refunds = await selectRefundsOfPayment(db, paymentId);
  const sent = refunds.filter((refund) => refund.payout === 'PROVIDER');
  const sentPaise = sent.reduce((sum, each) => sum + paidOutOfRow(each), 0);
  // What paid for no cycle is refunded whole.
  const ofCycle = (await selectLeft(db, cycleId, paymentId))?.leftPaise ?? paidPaise;
  const leftPaise = Math.min(ofCycle, paidPaise - sentPaise);
  const duePaise = await selectDueOf(db, paymentId);
  return payoutOf({ amountPaise, leftPaise, capturedOn, today: dayOf(now.getTime()), isOwnTransfer, duePaise });
}

/** What of the price of a cycle never came, as tax (TDS) that was withheld from a bank transfer and is neither proved nor reversed. */
export async function selectUnproved(db: Db | Tx, cycleId: string): Promise<number> {
  const row = await db
    .selectFrom('cycles')
    .select((of) => of.fn<number>('unproved_tax', ['id']).as('paise'))
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return row.paise;
}

/** What the tax is that a refund reverses, before it is stored. */
export async function selectReversed(
  tx: Tx,
  { paymentId, cycleId }: Pick<RefundStart, 'paymentId' | 'cycleId'>,
  reversedPaise: number,
): Promise<ReversedTax> {
  const refunds = (await selectRefundsOfPayment(tx, paymentId)).filter((refund) => refund.cycle_id === cycleId);
  return reversedTaxOf(reversedPaise, {
    deductedPaise: refunds.find(({ payout }) => payout === 'WITHHELD')?.amount_paise ?? 0,
    reversedBeforePaise: refunds.reduce((sum, refund) => sum + refund.withheld_paise, 0),
  });
}

/** How much of a refund of a price never came. */
export async function withheldPartOf(
  db: Db | Tx,
  { paymentId, cycleId, amountPaise, origin }: Pick<RefundStart, 'paymentId' | 'cycleId' | 'amountPaise' | 'origin'>,
): Promise<number> {
  const unprovedPaise = await selectUnproved(db, cycleId);
  if (unprovedPaise === 0) return 0;
  const { amount_paise: paidPaise } = await db
    .selectFrom('cycle_payments')
    .select('amount_paise')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const refunds = (await selectRefundsOfPayment(db, paymentId)).filter((refund) => refund.cycle_id === cycleId);
  const isGst = excessOrigins.some((excess) => excess === origin);
  const paid = paidBackOf(paidPaise, refunds.map(factsOf), unprovedPaise);
  return isGst ? withheldOfGst(paid, amountPaise) : withheldOfRefund(paid, amountPaise);
}

/** What is owed of the bill on credit terms that a payment stands for: due, or written off, which is due again once a refund lowers it. */
export async function selectDueOf(db: Db | Tx, paymentId: string): Promise<number> {
  const bill = await db
    .selectFrom('credit_bills')
    .select('owed_paise')
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  return bill?.owed_paise ?? 0;
}

/** Did a payment come to the provider's own bank account, or is it a promise to pay later? The payment provider knows nothing of it. */
export async function isOwn(db: Db | Tx, paymentId: string): Promise<boolean> {
  if (isPromise(paymentId)) return true;
  const received = await db
    .selectFrom('bank_transfers')
    .select('payment_id')
    .where('payment_id', '=', paymentId)
    .where('received_on', 'is not', null)
    .executeTakeFirst();
  return received !== undefined;
}

/** The key of a refund's attempt, for the provider. */
export const keyOfRow = ({ id, attempt, covered_paise: coveredPaise }: RefundRow): string =>
  keyOf({ id, attempt, coveredPaise });

/** What the provider, or the bank, pays for it. */
export const paidOutOfRow = (row: Pick<RefundRow, 'amount_paise' | 'covered_paise' | 'loss_paise'>): number =>
  paidOutOf({ amountPaise: row.amount_paise, coveredPaise: row.covered_paise, lossPaise: row.loss_paise });

/** By id alone: carrying out refunds knows no owner. */
export function selectRefund(db: Db | Tx, refundId: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export function lockRefund(tx: Tx, refundId: string): Promise<RefundRow> {
  return tx.selectFrom('refunds').selectAll().where('id', '=', refundId).forUpdate().executeTakeFirstOrThrow();
}

/** All refunds of a payment, oldest first. */
export function selectRefundsOfPayment(db: Db | Tx, providerPaymentId: string): Promise<RefundRow[]> {
  return refundsOfPayment(db, providerPaymentId).execute();
}

/**
 * The same, with those of the promise whose bill it paid and of what else paid that, locked: what of them is still to be paid stays so until the
 * commit.
 */
export async function lockRefundsOfMoney(tx: Tx, providerPaymentId: string): Promise<RefundRow[]> {
  const money = await tx
    .selectFrom('payment_money as paid')
    .innerJoin('payment_money as other', 'other.payment_id', 'paid.payment_id')
    .select(['paid.payment_id', 'other.money_id'])
    .where('paid.money_id', '=', providerPaymentId)
    .execute();
  return tx
    .selectFrom('refunds')
    .selectAll()
    .where(
      'payment_id',
      'in',
      money.flatMap(({ payment_id: promise, money_id: paid }) => [promise, paid]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** What of the money of a bill has not gone back in money. */
export async function selectCashLeftOfBill(tx: Tx, cycleId: string): Promise<number> {
  const { paise } = await tx
    .selectFrom('credit_bills')
    .select((of) => of.fn<number>('cash_left_of_bill', ['payment_id']).as('paise'))
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return paise;
}

/** What refunds pay out in money, without what others pay of them. */
export const paidOutOfMoney = (rows: readonly RefundRow[]): number =>
  rows.reduce((sum, row) => sum + row.amount_paise - row.covered_paise, 0);

const refundsOfPayment = (db: Db | Tx, providerPaymentId: string) =>
  db.selectFrom('refunds').selectAll().where('payment_id', '=', providerPaymentId).orderBy('created_at').orderBy('id');

/** The payment of a cycle, and how much of it (as far as it came) has not been refunded and is not going to be. Undefined when another payment is meant. */
async function selectLeft(db: Db | Tx, cycleId: string, paymentId?: string) {
  const row = await db
    .selectFrom('cycle_payments')
    .select(['provider_payment_id', 'currency', 'amount_paise'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirst();
  if (!row || row.provider_payment_id !== (paymentId ?? row.provider_payment_id)) return undefined;
  const refunds = await selectRefundsOfPayment(db, row.provider_payment_id);
  const givenBackPaise = refunds
    .filter((refund) => refund.cycle_id === cycleId)
    .reduce((sum, refund) => sum + refund.amount_paise - refund.covers_paise - refund.withheld_paise, 0);
  return {
    paymentId: row.provider_payment_id,
    currency: row.currency,
    leftPaise: row.amount_paise - givenBackPaise,
  };
}

/** The payment of a paid cycle, and what of it was neither refunded nor is going to be. */
export async function leftOfCycle(db: Db | Tx, cycleId: string) {
  const left = await selectLeft(db, cycleId);
  if (!left) throw new Error(`cycle ${cycleId} has no payment`);
  return left;
}

/** Claims the refunds that are due; the next attempt is scheduled before each is tried. */
export function claimDueRefunds(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestBackoffMs },
    (tx, isDue) => tx.selectFrom('refunds').select(['id', 'tries']).where(isDue('next_try_at')).orderBy('next_try_at'),
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

/** Does a dispute of the payment, or of one that paid its bill, keep its refunds waiting? */
export async function isDisputed(db: Db | Tx, providerPaymentId: string): Promise<boolean> {
  const disputes = await db
    .selectFrom('disputes')
    .select(['status', 'phase'])
    .where('payment_id', 'in', (money) =>
      money.selectFrom('payment_money').select('money_id').where('payment_id', '=', providerPaymentId),
    )
    .execute();
  return disputes.some(refundWaits);
}

/** The waiting refunds of a payment, or of what it paid for, are tried at once. */
export async function wakeRefunds(tx: Tx, providerPaymentId: string, now: Date): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ next_try_at: now, tries: 0 })
    .where('payment_id', 'in', (money) =>
      money.selectFrom('payment_money').select('payment_id').where('money_id', '=', providerPaymentId),
    )
    .where('next_try_at', 'is not', null)
    .execute();
}

export function selectRefunds(owner: Owner, db: Db) {
  return (
    db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.provider_payment_id', 'refunds.payment_id')
      .selectAll('refunds')
      .select('payments.use')
      .where('refunds.customer_id', '=', owner.customerId)
      // What was withheld never came.
      .where('payout', '<>', 'WITHHELD')
      .execute()
  );
}
