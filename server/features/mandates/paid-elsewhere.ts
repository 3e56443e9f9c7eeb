import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { canPayItsOrder } from '#server/features/bank-transfers/bank-transfers.ts';
import type { Portal } from '#server/portal.ts';

/** A checkout that the customer has opened lately may be paid any moment. */
const checkoutMs = 3_600_000;
const attemptedInIt = condition`payments.created_at < payment_orders.customer_asked_at + ${checkoutMs} * interval '1 ms'`;

/**
 * Is money held for one of these cycles, or may the customer be paying for one in a checkout? What a holder of a pay link asks for, puts in the place of
 * that, or attempts to pay is no reason to wait: what they do pay ends the need for a debit, or one of both goes back.
 */
export async function isPaidElsewhere(
  portal: Portal,
  db: Db | Tx,
  waiting: readonly { id: string }[],
): Promise<boolean> {
  if (waiting.length === 0) return false;
  const opened = new Date(portal.clock() - checkoutMs);
  const row = await db
    .selectFrom('order_cycles')
    .innerJoin('payment_orders', 'payment_orders.id', 'order_cycles.order_id')
    .leftJoin('payments', 'payments.order_id', 'payment_orders.id')
    .leftJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
    .leftJoin('mandate_debits', 'mandate_debits.order_id', 'payment_orders.id')
    .select('payment_orders.id')
    .where(
      'order_cycles.cycle_id',
      'in',
      waiting.map(({ id }) => id),
    )
    .where('mandate_debits.order_id', 'is', null)
    .where((order) =>
      order.or([
        order.and([order('payments.status', 'in', ['created', 'authorized']), attemptedInIt]),
        order.and([order('payments.use', '=', 'HELD'), canPayItsOrder]),
        order('payment_orders.customer_asked_at', '>', opened),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}
