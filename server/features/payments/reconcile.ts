import { ProviderRefusal } from '#server/platform/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { settleFetched } from './settle.ts';
import { selectOrder } from './store.ts';

const quarterHour = 900;
/** When the provider is asked about an order that is not final: soon at first, then hourly for five days. */
const steps = [5, 15, 60, 300, quarterHour, ...Array.from({ length: 120 }, () => 3600)];

/** Seconds to wait before a step. */
export function reconcileAfterSeconds(step: number): number {
  return steps[step] ?? 3600;
}

/** Asks the provider what became of an order, whether or not anybody told of it; plans the next time while it is not final. */
export async function reconcileOrder(portal: Portal, orderId: string, step: number): Promise<void> {
  const order = await selectOrder(portal.db, orderId);
  if (!order) return;
  if (order.provider_order_id) {
    for (const payment of await paymentsOf(portal, order.provider_order_id)) await settleFetched(portal, payment);
  }
  const after = await selectOrder(portal.db, orderId);
  // A closed or paid order is still watched for a day: a second tab may pay it, and that money goes back.
  const final = after?.status === 'PAID' || after?.status === 'CLOSED';
  const last = final ? 28 : steps.length - 1;
  if (step >= last) return;
  await portal.jobs.send(
    portal.db,
    'reconcile-order',
    { orderId, step: step + 1 },
    { startAfterSeconds: reconcileAfterSeconds(step + 1) },
  );
}

async function paymentsOf(portal: Portal, providerOrderId: string) {
  try {
    return await portal.razorpay.listPayments(providerOrderId);
  } catch (error) {
    // An order that the provider does not know (any more) has no payments; silence is tried again by the queue.
    if (error instanceof ProviderRefusal) return [];
    throw error;
  }
}
