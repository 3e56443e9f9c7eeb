import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees } from '#shared/domain/money.ts';
import { firstDayOf, nextMonth } from '#shared/domain/month.ts';
import { type AskedPage, pageOf, pastPage } from '#server/operator-pages.ts';

/** Payments, newest first, each with its refunds and disputes. */
export async function listPayments(
  db: Db,
  { customerId, status, month, after, limit }: OperatorInput<'listPayments'> & AskedPage,
): Promise<OperatorReply<'listPayments'>> {
  let query = db
    .selectFrom('payments')
    .innerJoin('cycles', 'cycles.id', 'payments.cycle_id')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .leftJoin('credit_bills', 'credit_bills.payment_id', 'payments.provider_payment_id')
    .select(['payments.provider_payment_id', 'payments.order_id', 'payments.cycle_id', 'payments.amount_paise'])
    .select(['payments.status', 'payments.use', 'payments.method', 'payments.error_description', 'cycles.plan'])
    .select(['payments.currency', 'payments.created_at', 'payments.captured_at'])
    .select(['payments.customer_id', 'customers.name', 'credit_bills.due_paise'])
    .select((payment) =>
      payment
        .selectFrom('refunds')
        .select((refund) =>
          sumOf(
            refund(
              refund('refunds.amount_paise', '-', refund.ref('refunds.covers_paise')),
              '-',
              refund.ref('refunds.withheld_paise'),
            ),
          ).as('paise'),
        )
        .whereRef('refunds.payment_id', '=', 'payments.provider_payment_id')
        .where('refunds.payout', '<>', 'WITHHELD')
        .as('refunded_paise'),
    )
    .where(await pastPage(db, 'payments', { time: 'created_at', id: 'provider_payment_id' }, after))
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.provider_payment_id', 'desc')
    .limit(limit + 1);
  if (customerId !== undefined) query = query.where('payments.customer_id', '=', customerId);
  if (status !== undefined) query = query.where('payments.status', '=', status);
  if (month !== undefined)
    query = query
      .where('payments.created_at', '>=', new Date(startOfDay(firstDayOf(month))))
      .where('payments.created_at', '<', new Date(startOfDay(firstDayOf(nextMonth(month)))));
  const { rows, next } = pageOf(await query.execute(), limit, ({ provider_payment_id: id }) => id);
  const ids = rows.map(({ provider_payment_id: id }) => id);
  const disputes = await selectDisputes(db, ids);
  const disputesOf = groupBy(disputes, ({ payment_id: id }) => id);
  return {
    payments: rows.map((row) => ({
      id: row.provider_payment_id,
      orderId: row.order_id,
      customerId: row.customer_id,
      customer: row.name,
      cycleId: row.cycle_id,
      planName: row.plan.name,
      currency: row.currency,
      amount: rupees(row.amount_paise),
      status: row.status,
      use: row.use,
      method: row.method,
      fault: row.error_description,
      createdAt: row.created_at.toISOString(),
      capturedAt: row.captured_at?.toISOString() ?? null,
      refunded: rupees(row.refunded_paise ?? 0),
      due: row.due_paise === null ? null : rupees(row.due_paise),
      disputes: (disputesOf.get(row.provider_payment_id) ?? []).map((dispute) => ({
        id: dispute.provider_dispute_id,
        amount: rupees(dispute.amount_paise),
        status: dispute.status,
        reason: dispute.reason,
        respondBy: dispute.respond_by?.toISOString() ?? null,
      })),
    })),
    next,
  };
}

const selectDisputes = (db: Db, paymentIds: readonly string[]) =>
  db
    .selectFrom('disputes')
    .select(['provider_dispute_id', 'payment_id', 'amount_paise', 'status', 'reason', 'respond_by'])
    .where('payment_id', 'in', paymentIds)
    .orderBy('created_at', 'desc')
    .execute();
