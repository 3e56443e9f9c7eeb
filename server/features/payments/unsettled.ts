import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows, leastOf } from '#shared/database/expressions.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { type OrderRow, selectPayment } from './store.ts';

/**
 * Records that a captured payment could not be settled, and raises an alarm at the first, second, fourth, eighth (and so on) failure,
 * since webhook, browser and reconciler keep retrying.
 */
export async function recordUnsettled(
  portal: Portal,
  order: OrderRow,
  payment: ProviderPayment,
  error: unknown,
): Promise<void> {
  // The failure may have come after the commit, such as while waiting for the gateways.
  if ((await selectPayment(portal.db, payment.id))?.status === 'captured') return;
  const fault = error instanceof Error ? error.message : String(error);
  const { tries, since } = await portal.db
    .insertInto('unsettled_payments')
    .values({
      payment_id: payment.id,
      order_id: order.id,
      amount_paise: payment.amount,
      since: new Date(portal.machineClock()),
      tries: 1,
      fault,
    })
    .onConflict((conflict) =>
      conflict
        .column('payment_id')
        .doUpdateSet((unsettled) => ({ tries: unsettled('unsettled_payments.tries', '+', 1), fault })),
    )
    .returning(['tries', 'since'])
    .executeTakeFirstOrThrow();
  if (!Number.isInteger(Math.log2(tries))) return;
  portal.log.error(
    { err: error, paymentId: payment.id, orderId: order.id, tries, since },
    'a captured payment cannot be settled: the customer has paid and has neither a plan nor a refund yet',
  );
}

/** Called in the transaction that settles the payment. */
export async function deleteUnsettled(tx: Tx, paymentId: string): Promise<void> {
  await tx.deleteFrom('unsettled_payments').where('payment_id', '=', paymentId).execute();
}

/** For /backend/health: the number of captured payments that could not be settled, and the age of the oldest in seconds. */
export async function readUnsettled(portal: Portal): Promise<{ count: number; oldestSeconds: number | null }> {
  const { count, oldest } = await selectUnsettled(portal.db);
  return {
    count,
    oldestSeconds: oldest && Math.max(0, Math.round((portal.machineClock() - oldest.getTime()) / 1000)),
  };
}

function selectUnsettled(db: Db) {
  return db
    .selectFrom('unsettled_payments')
    .select((payment) => [countRows().as('count'), leastOf(payment.ref('since')).as('oldest')])
    .executeTakeFirstOrThrow();
}
