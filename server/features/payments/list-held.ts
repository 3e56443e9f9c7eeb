import type { HeldTransfer } from '#shared/contract/operator/transfers.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { tdsPercentOf } from '#shared/domain/tds.ts';
import { recordedAs } from '#server/features/bank-transfers/bank-transfers.ts';

/** The bank transfers that wait for an operator's answer (decision 075), oldest first; or that of a payment alone. */
export async function listHeld(db: Db | Tx, paymentId?: string): Promise<HeldTransfer[]> {
  let query = db
    .selectFrom('payments')
    .innerJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
    .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
    .innerJoin('cycles', 'cycles.id', 'payments.cycle_id')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .select(['payments.provider_payment_id', 'payments.customer_id', 'customers.name', 'payments.order_id'])
    .select(['payments.amount_paise', 'payment_orders.amount_paise as due_paise', 'payments.captured_at'])
    .select(['bank_transfers.tds_paise', 'tds_percent', 'utr', 'cycles.plan'])
    .select((of) => of.fn<Day | null>('plan_stops_on', [of.table('cycles')]).as('stops_on'))
    .where('payments.use', '=', 'HELD')
    .orderBy('payments.captured_at')
    .orderBy('payments.provider_payment_id');
  if (paymentId !== undefined) query = query.where('payments.provider_payment_id', '=', paymentId);
  const held: HeldTransfer[] = [];
  for (const row of await query.execute()) {
    if (row.captured_at === null) continue;
    held.push({
      paymentId: row.provider_payment_id,
      customerId: row.customer_id,
      customer: row.name,
      orderId: row.order_id,
      planName: row.plan.name,
      amount: rupees(row.amount_paise),
      due: rupees(row.due_paise),
      tds: rupees(row.tds_paise),
      percent: tdsPercentOf(row.tds_percent) ?? null,
      utr: row.utr,
      recordedAs: (await recordedAs(db, row.utr)) ?? null,
      heldOn: dayOf(row.captured_at.getTime()),
      stopsOn: row.stops_on,
    });
  }
  return held;
}
