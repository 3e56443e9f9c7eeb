import type { Portal } from '#server/portal.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { reconcileOrder } from './reconcile.ts';
import { settleDelivery } from './webhook.ts';

/** Works the jobs that money depends on. */
export async function workPayments(portal: Portal): Promise<void> {
  await portal.jobs.work('settle-webhook', ({ bodyHash }) => settleDelivery(portal, bodyHash));
  await portal.jobs.work('reconcile-order', ({ orderId, step }) => reconcileOrder(portal, orderId, step));
  await portal.jobs.work('refund', ({ refundId }) => carryOutRefund(portal, refundId));
}
