import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { condition, sumOf } from '#shared/database/expressions.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, type Month, nextMonth } from '#shared/domain/month.ts';
import { type Difference, differencesOf } from '#shared/domain/settlement.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { OperatorSource } from '#server/operator-handler.ts';

/** How far the daily comparison goes back: a payment can be refunded for six months. */
export const comparedDays = 190;

const dayMs = 86_400_000;

/** The times of a month, or of the days of the daily comparison. */
export const comparedTimes = (month: Month | undefined, nowMs: number) =>
  month === undefined
    ? { fromMs: nowMs - comparedDays * dayMs, toMs: nowMs }
    : { fromMs: startOfDay(firstDayOf(month)), toMs: startOfDay(firstDayOf(nextMonth(month))) };

/** Which payments, refunds, disputes and settlements are compared, by their time. */
export interface ComparedTimes {
  fromMs: number;
  toMs: number;
  nowMs: number;
  graceMs: number;
}

/** The differences of a month, or of the days of the daily comparison. */
export const differencesIn = (
  { db, settings }: Pick<OperatorSource, 'db' | 'settings'>,
  month: Month | undefined,
  nowMs: number,
): Promise<Difference[]> =>
  compareSettlements(db, { ...comparedTimes(month, nowMs), nowMs, graceMs: settings.settlementDays * dayMs });

/** What the provider's settlements and the portal's payments, refunds and disputes of a time differ in. */
export async function compareSettlements(db: Db, times: ComparedTimes): Promise<Difference[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const [from, to] = [new Date(times.fromMs), new Date(times.toMs)];
      const payments = await tx
        .selectFrom('payments')
        .select(['provider_payment_id as id', 'amount_paise', 'fee_paise', 'fee_tax_paise', 'captured_at'])
        .where('status', '=', 'captured')
        // What came to the own bank account was never with the provider, nor is a promise to pay later.
        .where('method', '<>', 'terms')
        .where((payment) =>
          payment.not(
            payment.exists(
              payment
                .selectFrom('bank_transfers')
                .select('payment_id')
                .whereRef('bank_transfers.payment_id', '=', 'payments.provider_payment_id')
                .where('received_on', 'is not', null),
            ),
          ),
        )
        .where('captured_at', '>=', from)
        .where('captured_at', '<', to)
        .execute();
      const refunds = await tx
        .selectFrom('refunds')
        .select((of) => [
          'provider_refund_id',
          // One refund at the provider may be shared by several cycles of its payment.
          sumOf(of(of('amount_paise', '-', of.ref('covered_paise')), '+', of.ref('loss_paise'))).as('paid_paise'),
          of.fn.min('settled_at').as('settled_at'),
        ])
        .where('status', '=', 'PROCESSED')
        .where('provider_refund_id', 'is not', null)
        .where('settled_at', '>=', from)
        .where('settled_at', '<', to)
        // One of which nothing was due moved nothing when a bank returned it.
        .where((of) => of.or([of('amount_paise', '>', 0), of('loss_paise', '>', 0)]))
        .groupBy('provider_refund_id')
        .execute();
      const disputes = await tx
        .selectFrom('disputes')
        .select(['provider_dispute_id as id', 'deducted_paise', 'ended_at'])
        .where('ended_at', '>=', from)
        .where('ended_at', '<', to)
        .execute();
      const settlements = await tx
        .selectFrom('settlements')
        .select(['settlement_id as id', 'amount_paise', 'status', 'created_at'])
        .select((of) => [
          of
            .selectFrom('bank_transfers')
            .select((t) => sumOf(t.ref('amount_paise')).as('paise'))
            .where(condition`bank_number(bank_transfers.utr) = bank_number(settlements.utr)`)
            .where('received_on', 'is not', null)
            .as('recorded_paise'),
          of
            .selectFrom('refunds')
            .select((r) => sumOf(r('amount_paise', '-', r.ref('covered_paise'))).as('paise'))
            .where(condition`bank_number(refunds.utr) = bank_number(settlements.utr)`)
            .as('refunded_paise'),
        ])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .execute();
      const last = await tx
        .selectFrom('settlements')
        .select((of) => of.fn.max('created_at').as('made_at'))
        .where('status', '=', 'processed')
        .executeTakeFirst();
      const items = await readItems(tx, {
        entities: [...payments.map(({ id }) => id), ...refunds.map((refund) => refund.provider_refund_id ?? '')],
        disputes: disputes.map(({ id }) => id),
        settlements: settlements.map(({ id }) => id),
      });
      return differencesOf({
        payments: payments.map((payment) => ({
          id: payment.id,
          amountPaise: payment.amount_paise,
          feePaise: payment.fee_paise,
          taxPaise: payment.fee_tax_paise,
          capturedAtMs: payment.captured_at?.getTime() ?? times.fromMs,
        })),
        refunds: refunds.map((refund) => ({
          id: refund.provider_refund_id ?? '',
          amountPaise: refund.paid_paise,
          paidAtMs: refund.settled_at?.getTime() ?? times.fromMs,
        })),
        disputes: disputes.map((dispute) => ({
          id: dispute.id,
          deductedPaise: dispute.deducted_paise,
          endedAtMs: dispute.ended_at?.getTime() ?? times.fromMs,
        })),
        settlements: settlements.map(
          ({ id, amount_paise: amountPaise, status, created_at: createdAt, ...recorded }) => ({
            id,
            amountPaise,
            status,
            createdAtMs: createdAt.getTime(),
            recordedPaise: (recorded.recorded_paise ?? 0) + (recorded.refunded_paise ?? 0) || null,
          }),
        ),
        ...items,
        nowMs: times.nowMs,
        lastSettlementMs: last?.made_at?.getTime() ?? 0,
        graceMs: times.graceMs,
      });
    });
}

const itemSchema = z.object({
  entity_id: z.string(),
  settlement_id: z.string().nullable(),
  type: z.string(),
  debit_paise: z.number(),
  credit_paise: z.number(),
  amount_paise: z.number(),
  fee_paise: z.number(),
  tax_paise: z.number(),
  on_hold: z.boolean(),
  is_returned: z.boolean(),
  is_settled_again: z.boolean(),
  payment_id: z.string().nullable(),
  dispute_id: z.string().nullable(),
  created_at: z.date(),
  // The objects of the portal that it is about.
  own_payment: z.string().nullable(),
  own_refund: z.string().nullable(),
  own_dispute: z.string().nullable(),
});

/** All items of these settlements, payments, refunds and disputes, and what of theirs the portal knows. */
async function readItems(db: Db, of: { entities: string[]; disputes: string[]; settlements: string[] }) {
  const found = await sql`
    select i.*, coalesce(s.status = 'failed', false) as is_returned, p.provider_payment_id as own_payment,
      exists (select from settlement_items a join settlements t on t.settlement_id = a.settlement_id
        where a.entity_id = i.entity_id and a.settlement_id <> i.settlement_id and t.status = 'processed') as is_settled_again,
      r.provider_refund_id as own_refund, d.provider_dispute_id as own_dispute
    from settlement_items i
      left join settlements s on s.settlement_id = i.settlement_id
      left join payments p on p.provider_payment_id = i.payment_id and p.status = 'captured'
      left join lateral (select provider_refund_id from refunds where provider_refund_id = i.entity_id limit 1) r on true
      left join disputes d on d.provider_dispute_id = i.dispute_id
    where i.settlement_id = any(${of.settlements}) or i.entity_id = any(${of.entities}) or i.dispute_id = any(${of.disputes})
    order by i.id`.execute(db);
  const rows = checkedRows(itemSchema, found);
  return {
    items: rows.map((row) => ({
      entityId: row.entity_id,
      settlementId: row.settlement_id,
      type: row.type,
      debitPaise: row.debit_paise,
      creditPaise: row.credit_paise,
      amountPaise: row.amount_paise,
      feePaise: row.fee_paise,
      taxPaise: row.tax_paise,
      onHold: row.on_hold,
      isReturned: row.is_returned,
      isSettledAgain: row.is_settled_again,
      paymentId: row.payment_id,
      disputeId: row.dispute_id,
      atMs: row.created_at.getTime(),
    })),
    knownIds: new Set(
      rows.flatMap((row) => [row.own_payment, row.own_refund, row.own_dispute].filter((id) => id !== null)),
    ),
  };
}
