import { type WaitingKind, waitingKinds } from '#shared/contract/operator/waiting.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { refundWaits } from '#shared/domain/dispute.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { whyUnpaid } from '#shared/domain/refund.ts';
import { readExports, readWorkList } from '#server/features/documents/documents.ts';
import { listErasureRequests } from '#server/features/privacy/privacy.ts';
import { listUnpaidRefunds, type UnpaidRefund } from '#server/features/refunds/refunds.ts';
import { readSettlementHealth } from '#server/features/settlements/settlements.ts';
import { listThreads } from '#server/features/support/support.ts';
import { listClaims } from '#server/features/tds/tds.ts';
import { listFailingEndpoints } from '#server/features/webhooks/webhooks.ts';

type Waiting = OperatorReply<'listWaiting'>['waiting'][number];
type Item = Omit<Waiting, 'kind'>;

/** More of a kind are looked at after these. */
const mostThreads = 1000;

/** The proof of a payment from abroad has a year; the last month of it is for asking the bank. */
const remittanceDays = 30;

/** Reads of each kind, oldest first. */
const reads: Record<WaitingKind, (db: Db, nowMs: number) => Promise<Item[]>> = {
  APPROVAL: async (db) => {
    const rows = await db
      .selectFrom('approvals')
      .innerJoin('operators', 'operators.id', 'approvals.requested_by')
      .select(['approvals.id', 'call', 'customer_id', 'amount_paise', 'reason', 'requested_at', 'operators.email'])
      .where('state', '=', 'WAITING')
      .orderBy('requested_at')
      .execute();
    return rows.map(({ id, customer_id: customerId, amount_paise: paise, requested_at, ...row }) => ({
      id,
      customerId,
      since: requested_at.toISOString(),
      due: null,
      about: `${row.email} asks for a second person: ${row.call} of ${formatRupees(paise)}, ${row.reason}`,
    }));
  },
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
    return rows.filter(refundWaits).map((row) => ({
      id: row.provider_dispute_id,
      customerId: row.customer_id,
      since: row.created_at.toISOString(),
      due: row.respond_by?.toISOString() ?? null,
      about: `the bank disputes ${formatRupees(row.amount_paise)} of ${row.payment_id}`,
    }));
  },
  REFUND_TO_TRANSFER: (db, nowMs) => unpaidRefunds(db, nowMs, ({ payout }) => payout === 'TRANSFER'),
  REFUND_REFUSED: (db, nowMs) => unpaidRefunds(db, nowMs, ({ payout, isLate }) => payout === 'PROVIDER' && !isLate),
  REFUND_LATE: (db, nowMs) => unpaidRefunds(db, nowMs, ({ isLate }) => isLate),
  SUPPORT_THREAD: async (db) => {
    const threads = await listThreads(db, { status: 'OPEN', limit: mostThreads });
    return threads.map(({ id, customerId, customerName, subject, changedAt }) => ({
      id,
      customerId,
      due: null,
      since: changedAt,
      about: `${customerName}: ${subject}`,
    }));
  },
  TDS_CLAIM: async (db) =>
    (await listClaims(db, 'WAITING')).map(({ id, customerId, customer, amountPaise, invoice, declaredOn }) => ({
      id,
      customerId,
      since: declaredOn,
      due: null,
      about: `${customer} declares TDS of ${formatRupees(amountPaise)} on ${invoice}`,
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
      })),
  ERASURE_REQUEST: async (db) =>
    (await listErasureRequests(db)).map(({ customerId, name, askedAt }) => ({
      id: customerId,
      customerId,
      since: askedAt.toISOString(),
      due: null,
      about: `${name} asks to be erased`,
    })),
  REMITTANCE: async (db, nowMs) =>
    (await readExports(db, nowMs))
      .filter(({ state, daysLeft }) => state !== 'proved' && daysLeft <= remittanceDays)
      .map(({ paymentId, customerId, number, buyer, issuedOn, dueOn }) => ({
        id: paymentId,
        customerId,
        since: issuedOn,
        due: dueOn,
        about: `the payment of ${number} by ${buyer} has no proof from the bank`,
      })),
  SETTLEMENTS: async (db) => {
    const { differences, comparedAt } = await readSettlementHealth({ db });
    const about = `${differences} differences between Razorpay's settlements and the books`;
    return differences === 0 ? [] : [{ id: null, customerId: null, about, since: comparedAt, due: null }];
  },
  ENDPOINT: async (db) =>
    (await listFailingEndpoints(db)).map(({ id, url, since, isOff }) => ({
      id,
      customerId: null,
      since: since.toISOString(),
      due: null,
      about: isOff ? `${url} gets no events: it kept failing and is off` : `${url} fails`,
    })),
};

async function unpaidRefunds(db: Db, nowMs: number, isOfKind: (refund: UnpaidRefund) => boolean): Promise<Item[]> {
  const refunds = await listUnpaidRefunds(db, nowMs);
  return refunds
    .filter((refund) => isOfKind(refund) && !refund.waitsForDispute)
    .map(({ id, customerId, customerName, amountPaise, startedAt, reason, ...why }) => ({
      id,
      customerId,
      due: null,
      since: startedAt.toISOString(),
      about: `${formatRupees(amountPaise)} to ${customerName}: ${why.payout === 'PROVIDER' ? whyUnpaid(why) : reason}`,
    }));
}

/** Everything that waits for an operator. */
export async function listWaiting(db: Db, nowMs: number): Promise<Waiting[]> {
  const found = await Promise.all(
    waitingKinds.map(async (kind) => (await reads[kind](db, nowMs)).map((item) => ({ kind, ...item }))),
  );
  return found.flat();
}
