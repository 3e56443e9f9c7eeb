import { addDays, dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs, debitTakenWithinMs } from '#shared/domain/mandate.ts';
import { refundWaits } from '#shared/domain/dispute.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { whyUnpaid } from '#shared/domain/why-unpaid.ts';
import type { Db } from '#shared/database/connect.ts';
import { listOpenBills } from '#server/features/credit/credit.ts';
import { readExports, readWorkList } from '#server/features/documents/documents.ts';
import { listHeld, selectHeldCycles } from '#server/features/payments/payments.ts';
import { listUnpaidRefunds, type UnpaidRefund } from '#server/features/refunds/refunds.ts';
import { readSettlementHealth } from '#server/features/settlements/settlements.ts';
import { listClaims } from '#server/features/tds/tds.ts';
import { type Item, ofInstallation, type Reads } from './found.ts';

/** The proof of a payment from abroad has a year; the last month of it is for asking the bank. */
const remittanceDays = 30;

const dayMs = 86_400_000;

/** What waits about money and its papers. */
export const moneyReads: Reads<
  | 'UNSETTLED_PAYMENT'
  | 'DISPUTE'
  | 'HELD_TRANSFER'
  | 'REFUND_TO_TRANSFER'
  | 'REFUND_REFUSED'
  | 'REFUND_LATE'
  | 'OVERDUE_BILL'
  | 'TDS_CLAIM'
  | 'E_INVOICE'
  | 'REMITTANCE'
  | 'SETTLEMENTS'
  | 'MANDATE'
> = {
  UNSETTLED_PAYMENT: async (db) => {
    const rows = await db
      .selectFrom('unsettled_payments as unsettled')
      .innerJoin('payment_orders as order', 'order.id', 'unsettled.order_id')
      .select(['unsettled.payment_id', 'unsettled.since', 'unsettled.fault', 'unsettled.amount_paise'])
      .select('order.customer_id')
      .orderBy('unsettled.since')
      .execute();
    return rows.map(({ payment_id: id, customer_id: customerId, amount_paise: paise, since, fault }) => ({
      id,
      customerId,
      due: null,
      since: since.toISOString(),
      about: `${formatRupees(paise)} were paid, and are neither a plan nor a refund: ${fault}`,
      command: `payments show ${id}`,
    }));
  },
  DISPUTE: async (db) => {
    const rows = await db
      .selectFrom('disputes')
      .select(['provider_dispute_id', 'payment_id', 'customer_id', 'amount_paise', 'created_at', 'respond_by'])
      .select(['status', 'phase'])
      .where('ended_at', 'is', null)
      .where('status', '<>', 'under_review')
      .orderBy('respond_by')
      .execute();
    return rows.filter(refundWaits).map(({ provider_dispute_id: id, ...row }) => ({
      id,
      customerId: row.customer_id,
      since: row.created_at.toISOString(),
      due: row.respond_by?.toISOString() ?? null,
      about: `the bank disputes ${formatRupees(row.amount_paise)} of ${row.payment_id}`,
      command: `customers find ${id}`,
    }));
  },
  HELD_TRANSFER: async (db, nowMs) =>
    (await listHeld(db)).map(({ paymentId: id, customerId, heldOn, ...held }) => ({
      id,
      customerId,
      since: heldOn,
      due: held.stopsOn,
      about: `${held.customer} transferred ${formatRupees(toPaise(held.amount))} for ${held.planName}, ${
        held.recordedAs === null
          ? `${formatRupees(toPaise(held.tds))} less than is due: is that TDS at ${held.percent} %? If not, give it back`
          : `to the account at Razorpay, with the number ${held.utr} of ${held.recordedAs}: the same money? See docs/operating/money.md`
      }${held.stopsOn === null ? '' : held.stopsOn > dayOf(nowMs) ? `. Its plan stops on ${held.stopsOn} unless you answer before` : `. Its plan is stopped since ${held.stopsOn}, until you answer`}`,
      command: held.recordedAs === null ? `transfers settle ${id}` : 'transfers list',
    })),
  REFUND_TO_TRANSFER: (db, nowMs) =>
    unpaidRefunds(
      db,
      nowMs,
      ({ payout }) => payout === 'TRANSFER',
      (id) => `refunds transferred ${id}`,
    ),
  REFUND_REFUSED: (db, nowMs) =>
    unpaidRefunds(
      db,
      nowMs,
      ({ payout, isLate }) => payout === 'PROVIDER' && !isLate,
      (id) => `refunds by-transfer ${id}`,
    ),
  REFUND_LATE: (db, nowMs) =>
    unpaidRefunds(
      db,
      nowMs,
      ({ isLate }) => isLate,
      () => 'refunds list',
    ),
  TDS_CLAIM: async (db) =>
    (await listClaims(db, 'WAITING')).map(({ id, customerId, customer, amountPaise, invoice, declaredOn }) => ({
      id,
      customerId,
      since: declaredOn,
      due: null,
      about: `${customer} declares TDS of ${formatRupees(amountPaise)} on ${invoice}`,
      command: `tds certificate ${id}`,
    })),
  // A document of today is registered by the portal itself.
  E_INVOICE: async (db, nowMs) =>
    (await readWorkList(db, nowMs, false))
      .filter(({ refused, issuedOn }) => refused !== null || issuedOn < dayOf(nowMs))
      .map(({ number, customerId, buyer, issuedOn, refused }) => ({
        id: number,
        customerId,
        since: issuedOn,
        due: null,
        about: `to ${buyer} has no IRN${refused === null ? '' : `: ${refused.code}, ${refused.reason}`}`,
        command: 'e-invoices list',
      })),
  OVERDUE_BILL: async (db, nowMs) => {
    // The money of these is here, and waits as such.
    const held = new Set((await selectHeldCycles(db).execute()).map(({ cycle_id: id }) => id));
    return (await listOpenBills(db, dayOf(nowMs)))
      .filter(({ state, billingCycleId }) => (state === 'OVERDUE' || state === 'STOPPED') && !held.has(billingCycleId))
      .map((bill) => ({
        id: bill.invoice,
        customerId: bill.customerId,
        since: bill.dueOn,
        due: bill.stopsOn,
        about: `${formatRupees(toPaise(bill.due))} of ${bill.invoice} by ${bill.customer} was due on ${bill.dueOn}${bill.state === 'STOPPED' ? '; its plans that are not paid have stopped' : ''}`,
        command: `customers bills ${bill.customerId}`,
      }));
  },
  REMITTANCE: async (db, nowMs) =>
    (await readExports(db, nowMs, { which: 'unproved', issuedBy: addDays(dayOf(nowMs), remittanceDays - 365) }))
      .filter(({ daysLeft }) => daysLeft <= remittanceDays)
      .map(({ paymentId, customerId, number, buyer, issuedOn, dueOn }) => ({
        id: paymentId,
        customerId,
        since: issuedOn,
        due: dueOn,
        about: `the payment of ${number} by ${buyer} has no proof from the bank`,
        command: `remittances record ${paymentId}`,
      })),
  MANDATE: async (db, nowMs, limit) => {
    const hanging = await db
      .selectFrom('mandates')
      .innerJoin('customers', 'customers.id', 'mandates.customer_id')
      .select([
        'mandates.id',
        'mandates.customer_id',
        'mandates.plan_name',
        'mandates.ended_at as since',
        'customers.name',
      ])
      .where('mandates.state', '=', 'ENDED')
      .where('mandates.token_over_at', 'is', null)
      .where('mandates.ended_at', '<', new Date(nowMs - dayMs))
      .orderBy('mandates.ended_at')
      .limit(limit)
      .execute();
    const silent = await db
      .selectFrom('mandate_debits as debit')
      .innerJoin('mandates', 'mandates.id', 'debit.mandate_id')
      .innerJoin('customers', 'customers.id', 'debit.customer_id')
      .select([
        'debit.order_id as id',
        'debit.customer_id',
        'mandates.plan_name',
        'debit.asked_at as since',
        'customers.name',
      ])
      .select(['debit.amount_paise', 'debit.state'])
      .where((debit) =>
        debit.or([
          debit.and([
            debit('debit.state', '=', 'ASKED'),
            debit('debit.asked_at', '<', new Date(nowMs - debitTakenWithinMs)),
          ]),
          debit.and([
            debit('debit.state', '=', 'SENT'),
            debit('debit.asked_at', '<', new Date(nowMs - debitAnsweredWithinMs)),
          ]),
        ]),
      )
      .orderBy('debit.asked_at')
      .limit(limit)
      .execute();
    return [
      ...silent.map((row) =>
        ofMandate(
          row,
          `${row.name}: the debit of ${formatRupees(row.amount_paise)} for ${row.plan_name} ${row.state === 'SENT' ? 'has no result' : 'can’t be sent: Razorpay does not take it'}`,
        ),
      ),
      ...hanging.map((row) =>
        ofMandate(row, `${row.name}: the ended mandate for ${row.plan_name} is not cancelled at Razorpay`),
      ),
    ].slice(0, limit);
  },
  SETTLEMENTS: async (db) => {
    const { differences, comparedAt } = await readSettlementHealth({ db });
    const about = `${differences === 1 ? '1 difference' : `${differences} differences`} between Razorpay's settlements and the books`;
    return differences === 0 ? [] : [ofInstallation(about, 'settlements', comparedAt)];
  },
};

const ofMandate = (row: { id: string; customer_id: string; since: Date | null }, about: string): Item => ({
  id: row.id,
  customerId: row.customer_id,
  since: row.since?.toISOString() ?? null,
  due: null,
  about,
  command: `mandates list ${row.customer_id}`,
});

async function unpaidRefunds(
  db: Db,
  nowMs: number,
  isOfKind: (refund: UnpaidRefund) => boolean,
  commandOf: (id: string) => string,
): Promise<Item[]> {
  const refunds = await listUnpaidRefunds(db, nowMs);
  return refunds
    .filter((refund) => isOfKind(refund) && !refund.waitsForDispute)
    .map(({ id, customerId, customerName, amountPaise, startedAt, reason, ...why }) => ({
      id,
      customerId,
      due: null,
      since: startedAt.toISOString(),
      about: `${formatRupees(amountPaise)} to ${customerName}: ${why.payout === 'PROVIDER' ? whyUnpaid(why) : reason}`,
      command: commandOf(id),
    }));
}
