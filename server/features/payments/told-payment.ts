import { transaction } from '#database/transaction.ts';
import type { Portal } from '#server/portal.ts';
import { lockForSettling, type OrderRow, selectPayment, upsertPayment } from './store.ts';

/**
 * Keeps a payment that only its signature vouches for, while the provider is silent: its cycle is shown as pending until
 * the provider says what became of it.
 */
export async function noteToldPayment(portal: Portal, order: OrderRow, paymentId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockForSettling(tx, order);
    if (await selectPayment(tx, paymentId)) return;
    const now = new Date(portal.clock());
    const told = {
      id: paymentId,
      amount: order.amount_paise,
      currency: order.currency,
      created_at: Math.floor(now.getTime() / 1000),
    };
    await upsertPayment(tx, order, told, 'created', null, now);
  });
}
