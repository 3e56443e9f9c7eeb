import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db } from '#shared/database/connect.ts';
import { longestCheckWaitMs, nextCheckAfterMs } from '#shared/domain/payment.ts';
import { ProviderRefusal } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { settleFetched } from './settle.ts';
import { selectOrder } from './store.ts';

/** The provider refunds later payments on a paid order by itself; the order is checked for a day to record them. */
const checksOfPaidOrder = 28;

/** Claims the orders that are due; the next check is scheduled before the provider is called, so that a timeout delays nothing. */
export function claimDueOrders(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestCheckWaitMs },
    (tx, isDue) =>
      tx
        .selectFrom('payment_orders')
        .select(['id', 'status', 'checks'])
        .where(isDue('next_check_at'))
        .orderBy('next_check_at'),
    async (tx, { id, status, checks }) => {
      const waitMs = status === 'PAID' && checks >= checksOfPaidOrder ? undefined : nextCheckAfterMs(checks + 1);
      const next = waitMs === undefined ? null : new Date(nowMs + waitMs);
      await tx
        .updateTable('payment_orders')
        .set({ checks: checks + 1, next_check_at: next })
        .where('id', '=', id)
        .execute();
      return id;
    },
  );
}

/** Restarts the checks of an order: its customer is about to pay, or has just paid. */
export async function checkSoon(db: Db, orderId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('payment_orders')
    .set({ checks: 0, next_check_at: new Date(nowMs + (nextCheckAfterMs(0) ?? 0)) })
    .where('id', '=', orderId)
    .execute();
}

/** Asks the provider for the payments of an order, independently of webhooks and browsers. */
export async function reconcileOrder(portal: Portal, orderId: string): Promise<void> {
  const order = await selectOrder(portal.db, orderId);
  if (!order?.provider_order_id) return;
  for (const payment of await paymentsOf(portal, order.provider_order_id)) await settleFetched(portal, payment);
}

async function paymentsOf(portal: Portal, providerOrderId: string) {
  try {
    return await portal.razorpay.listPayments(providerOrderId);
  } catch (error) {
    // An order that the provider does not know (any more) has no payments.
    if (error instanceof ProviderRefusal) return [];
    throw error;
  }
}
