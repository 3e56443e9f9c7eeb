import type { Db } from '#shared/database/connect.ts';
import { condition, countRows, leastOf } from '#shared/database/expressions.ts';
import { phasesBeforeClaim } from '#shared/domain/dispute.ts';
import { lateRefundMs, returnsOf } from '#shared/domain/refund.ts';
import type { Portal } from '#server/portal.ts';

/** Refunds that somebody has to look at: the provider refuses them, a bank returned them, the operator transfers them (decision 055), or they are late. */

/**
 * Waits for a transfer, was refused by the provider or returned by a bank and is requested again, or is not paid after a week for whatever
 * reason, since it was promised or a dispute of its money (`payment_money`) was decided: nobody may pay it before. Small, and has an index: most refunds are paid.
 */
const unpaid = (nowMs: number) => {
  const late = new Date(nowMs - lateRefundMs);
  return condition`refunds.status <> 'PROCESSED'
    and (refunds.status = 'FAILED' or refunds.payout = 'TRANSFER' or refunds.refused_at is not null
      or refunds.created_at <= ${late} and not exists (select from disputes join payment_money m on m.money_id = disputes.payment_id where m.payment_id = refunds.payment_id
        and coalesce(disputes.ended_at, 'infinity') > ${late} and disputes.phase <> all(${phasesBeforeClaim})))`;
};

/** Neither refused, nor returned, nor the operator's to pay: it only takes too long. */
const isLate = condition`(refunds.payout = 'PROVIDER'
  and (refunds.status = 'PENDING' or refunds.status = 'STARTED' and refunds.refused_at is null))`;

/** Nobody may pay a refund while its payment is disputed (`refundWaits`). */
const waitsForDispute = condition`exists (select from disputes join payment_money m on m.money_id = disputes.payment_id where m.payment_id = refunds.payment_id
  and disputes.ended_at is null and disputes.phase <> all(${phasesBeforeClaim}))`;

/** A refund that waits for a bank transfer, that the provider refuses, that a bank returned (`returns`: how often), or that is late. */
export type UnpaidRefund = Awaited<ReturnType<typeof listUnpaidRefunds>>[number];

/** Oldest first. */
export async function listUnpaidRefunds(db: Db, nowMs: number) {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('customers', 'customers.id', 'refunds.customer_id')
    .select(['refunds.id', 'refunds.payment_id as paymentId', 'refunds.cycle_id as cycleId', 'refunds.reason'])
    .select(['refunds.customer_id as customerId', 'customers.name as customerName', 'customers.email as customerEmail'])
    .select(['refunds.amount_paise', 'refunds.covered_paise', 'refunds.payout', 'refunds.refusal'])
    .select(['refunds.status', 'refunds.attempt', 'refunds.withheld_paise as withheldPaise'])
    .select(['refunds.created_at as startedAt', waitsForDispute.as('waitsForDispute'), isLate.as('isLate')])
    .where(unpaid(nowMs))
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute();
  return rows.map(
    ({ amount_paise: amount, covered_paise: covered, waitsForDispute: waits, isLate: late, attempt, ...row }) => ({
      ...row,
      // What was withheld is paid.
      payout: row.payout === 'TRANSFER' ? ('TRANSFER' as const) : ('PROVIDER' as const),
      returns: returnsOf({ status: row.status, attempt }),
      isLate: Boolean(late),
      amountPaise: amount - covered,
      waitsForDispute: Boolean(waits),
    }),
  );
}

/** For /backend/health: how many of each kind no dispute keeps waiting, the returned ones as refused, and for how many seconds the oldest has been unpaid. */
export async function readRefundsHealth(
  portal: Portal,
): Promise<{ toTransfer: number; refused: number; late: number; oldestSeconds: number | null }> {
  const { toTransfer, refused, late, oldest } = await portal.db
    .selectFrom('refunds')
    .select((refund) => [
      countRows(refund('payout', '=', 'TRANSFER')).as('toTransfer'),
      countRows(refund.and([refund('payout', '=', 'PROVIDER'), refund.not(isLate)])).as('refused'),
      countRows(isLate).as('late'),
      // Since it was promised, or since the last dispute that kept it waiting was decided.
      leastOf(
        refund.fn<Date>('greatest', [
          'refunds.created_at',
          refund
            .selectFrom('disputes')
            .innerJoin('payment_money', 'payment_money.money_id', 'disputes.payment_id')
            .select((dispute) => dispute.fn.max('ended_at').as('at'))
            .whereRef('payment_money.payment_id', '=', 'refunds.payment_id')
            .where('phase', 'not in', phasesBeforeClaim),
        ]),
      ).as('oldest'),
    ])
    .where(unpaid(portal.clock()))
    .where((refund) => refund.not(waitsForDispute))
    .executeTakeFirstOrThrow();
  const oldestSeconds = oldest && Math.max(0, Math.round((portal.clock() - oldest.getTime()) / 1000));
  return { toTransfer, refused, late, oldestSeconds };
}
