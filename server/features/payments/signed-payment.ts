import { transaction } from '#shared/database/transaction.ts';
import type { Portal } from '#server/portal.ts';
import { lockForSettling, type OrderRow, selectPayment, upsertPayment } from './store.ts';

/**
 * Stores a payment that so far only its signature proves, while the provider does not respond: its cycle is shown as pending until
 * the provider confirms or denies the payment.
 */
export async function storeSignedPayment(portal: Portal, order: OrderRow, paymentId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockForSettling(tx, order);
    if (await selectPayment(tx, paymentId)) return;
    const now = new Date(portal.clock());
    const payment = {
      id: paymentId,
      amount: order.amount_paise,
      currency: order.currency,
      created_at: Math.floor(now.getTime() / 1000),
    };
    await upsertPayment(tx, order, payment, 'created', null, now);
  });
}
