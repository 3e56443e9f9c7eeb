import type { Db } from '#shared/database/connect.ts';
import { condition, countRows, leastOf } from '#shared/database/expressions.ts';
import { phasesBeforeClaim } from '#shared/domain/dispute.ts';
import { returnsOf } from '#shared/domain/refund.ts';
import type { Portal } from '#server/portal.ts';

/** Refunds that the provider refuses or a bank returned, and those that the operator pays by bank transfer instead (decision 055). */

/** Waits for a transfer, or was refused by the provider or returned by a bank and is requested again. Small, and has an index: most refunds are paid. */
const unpaid = condition`refunds.status in ('STARTED', 'FAILED')
  and (refunds.status = 'FAILED' or refunds.payout = 'TRANSFER' or refunds.refused_at is not null)`;

/** Nobody may pay a refund while its payment is disputed (`refundWaits`). */
const waitsForDispute = condition`exists (select from disputes where disputes.payment_id = refunds.payment_id and disputes.ended_at is null
  and disputes.phase <> all(${phasesBeforeClaim}))`;

/** A refund that waits for a bank transfer, that the provider refuses, or that a bank returned. `returns`: how often. */
export type UnpaidRefund = Awaited<ReturnType<typeof listUnpaidRefunds>>[number];

/** Oldest first. */
export async function listUnpaidRefunds(db: Db) {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('customers', 'customers.id', 'refunds.customer_id')
    .select(['refunds.id', 'refunds.payment_id as paymentId', 'refunds.cycle_id as cycleId', 'refunds.reason'])
    .select(['refunds.customer_id as customerId', 'customers.name as customerName', 'customers.email as customerEmail'])
    .select(['refunds.amount_paise', 'refunds.covered_paise', 'refunds.payout', 'refunds.refusal'])
    .select(['refunds.status', 'refunds.attempt'])
    .select(['refunds.created_at as startedAt', waitsForDispute.as('waitsForDispute')])
    .where(unpaid)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute();
  return rows.map(
    ({ amount_paise: amount, covered_paise: covered, waitsForDispute: waits, status, attempt, ...row }) => ({
      ...row,
      returns: returnsOf({ status, attempt }),
      amountPaise: amount - covered,
      waitsForDispute: Boolean(waits),
    }),
  );
}

/** For /backend/health: how many of each kind there are that somebody can pay, the returned ones as refused, and for how many seconds the oldest has been so. */
export async function readRefundsHealth(
  portal: Portal,
): Promise<{ toTransfer: number; refused: number; oldestSeconds: number | null }> {
  const { toTransfer, refused, oldest } = await portal.db
    .selectFrom('refunds')
    .select((refund) => [
      countRows(refund('payout', '=', 'TRANSFER')).as('toTransfer'),
      countRows(refund('payout', '=', 'PROVIDER')).as('refused'),
      // Since it was promised, or since the last dispute that kept it waiting was decided.
      leastOf(
        refund.fn<Date>('greatest', [
          'refunds.created_at',
          refund
            .selectFrom('disputes')
            .select((dispute) => dispute.fn.max('ended_at').as('at'))
            .whereRef('disputes.payment_id', '=', 'refunds.payment_id')
            .where('phase', 'not in', phasesBeforeClaim),
        ]),
      ).as('oldest'),
    ])
    .where(unpaid)
    .where((refund) => refund.not(waitsForDispute))
    .executeTakeFirstOrThrow();
  const oldestSeconds = oldest && Math.max(0, Math.round((portal.clock() - oldest.getTime()) / 1000));
  return { toTransfer, refused, oldestSeconds };
}
