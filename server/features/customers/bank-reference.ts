import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';

const anyOf = (names: readonly string[]) =>
  sql`any(array(select bank_number(name) from unnest(${names}::text[]) name))`;

/** What the customer's bank calls a payment. Razorpay's messages name it, and are kept for a while. */
const ofMessage = (names: readonly string[]) =>
  condition`"order".provider_order_id in (select body #>> '{payload,payment,entity,order_id}' from webhook_inbox
    where bank_number(coalesce(body #>> '{payload,payment,entity,acquirer_data,rrn}',
      body #>> '{payload,payment,entity,acquirer_data,bank_transaction_id}')) = ${anyOf(names)})`;

/** The newest order that a bank's number (UTR, RRN) belongs to: of a payment or bank transfer, or of the transfer of a refund. */
export function findOrderByBank(
  db: Db,
  names: readonly string[],
): Promise<{ id: string; customerId: string } | undefined> {
  const orders = db
    .selectFrom('payment_orders as order')
    .select(['order.id', 'order.customer_id as customerId', 'order.created_at']);
  // Two queries, since no index serves an “or” of both.
  return orders
    .where(ofMessage(names))
    .unionAll(
      orders
        .innerJoin('payments', 'payments.order_id', 'order.id')
        .innerJoin('refunds', 'refunds.payment_id', 'payments.provider_payment_id')
        .where(condition`bank_number(refunds.utr) = ${anyOf(names)}`),
    )
    .unionAll(
      orders
        .innerJoin('bank_transfers', 'bank_transfers.order_id', 'order.id')
        .where(condition`bank_number(bank_transfers.utr) = ${anyOf(names)}`),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
