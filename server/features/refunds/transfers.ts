import type { Db } from '#shared/database/connect.ts';
import { condition, countRows, leastOf } from '#shared/database/expressions.ts';
import { phasesBeforeClaim } from '#shared/domain/dispute.ts';
import type { Portal } from '#server/portal.ts';

/** Refunds that the provider refuses, and those that the operator pays by bank transfer instead (decision 055). */

/** Waits for a transfer, or was refused by the provider and is requested again. Small, and has an index: most refunds are paid. */
const unpaid = condition`refunds.status in ('STARTED', 'FAILED') and (refunds.payout = 'TRANSFER' or refunds.refused_at is not null)`;

/** Nobody may pay a refund while its payment is disputed (`refundWaits`). */
const waitsForDispute = condition`exists (select from disputes where disputes.payment_id = refunds.payment_id and disputes.ended_at is null
  and disputes.phase <> all(${phasesBeforeClaim}))`;

/** A refund that waits for a bank transfer, or that the provider refuses. */
export type UnpaidRefund = Awaited<ReturnType<typeof listUnpaidRefunds>>[number];

/** Oldest first. */
export async function listUnpaidRefunds(db: Db) {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('customers', 'customers.id', 'refunds.customer_id')
    .select(['refunds.id', 'refunds.payment_id as paymentId', 'refunds.cycle_id as cycleId', 'refunds.reason'])
    .select(['refunds.customer_id as customerId', 'customers.name as customerName', 'customers.email as customerEmail'])
    .select(['refunds.amount_paise', 'refunds.covered_paise', 'refunds.payout', 'refunds.refusal'])
    .select(['refunds.created_at as startedAt', waitsForDispute.as('waitsForDispute')])
    .where(unpaid)
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute();
  return rows.map(({ amount_paise: amount, covered_paise: covered, waitsForDispute: waits, ...row }) => ({
    ...row,
    amountPaise: amount - covered,
    waitsForDispute: Boolean(waits),
  }));
}

/** For /backend/health: how many of each kind there are that somebody can pay, and for how many seconds the oldest has been so. */
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
