import type { Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { EventContext, Owner } from '#server/portal.ts';

const dayMs = 86_400_000;

/**
 * Was the customer mailed within a day that a payment of the same bill failed? The page tells each payer, and whoever holds a pay link can fail
 * as often as they like: that says nothing of orders that the customer has asked for, nor of what was asked for since.
 */
export async function wasToldOfFailure(
  { clock }: Pick<EventContext, 'clock'>,
  owner: Owner,
  tx: Tx,
  event: PortalEvent<'payment.failed'>,
): Promise<boolean> {
  const key = dedupeKeyOf({ ...event, paymentId: '' });
  const order = await tx
    .selectFrom('payments')
    .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
    .select('payment_orders.customer_asked_at')
    .where('payments.provider_payment_id', '=', event.paymentId)
    .executeTakeFirst();
  const askedAt = order?.customer_asked_at ?? null;
  const since = new Date(Math.max(clock() - dayMs, askedAt?.getTime() ?? 0));
  const told = await tx
    .selectFrom('mails')
    .select('mails.id')
    .where('mails.customer_id', '=', owner.customerId)
    .where('mails.created_at', '>', since)
    .where((mail) =>
      mail.exists(
        mail
          .selectFrom('payments')
          .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
          .select('payments.provider_payment_id')
          .where('payments.customer_id', '=', owner.customerId)
          .where('payment_orders.customer_asked_at', askedAt === null ? 'is' : 'is not', null)
          .where(condition`mails.dedupe_key = ${key}::text || payments.provider_payment_id`)
          .where('payments.cycle_id', '=', event.cycleId),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return told !== undefined;
}
