import type { Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { EventContext, Owner } from '#server/portal.ts';

const dayMs = 86_400_000;

/**
 * Was the customer mailed within a day that a payment of the same bill failed? The page tells each payer, and whoever holds a pay link can fail
 * as often as they like.
 */
export async function wasToldOfFailure(
  { clock }: Pick<EventContext, 'clock'>,
  owner: Owner,
  tx: Tx,
  event: PortalEvent<'payment.failed'>,
): Promise<boolean> {
  const key = dedupeKeyOf({ ...event, paymentId: '' });
  const told = await tx
    .selectFrom('mails')
    .select('mails.id')
    .where('mails.customer_id', '=', owner.customerId)
    .where('mails.created_at', '>', new Date(clock() - dayMs))
    .where((mail) =>
      mail.exists(
        mail
          .selectFrom('payments')
          .select('payments.provider_payment_id')
          .where('payments.customer_id', '=', owner.customerId)
          .where(condition`mails.dedupe_key = ${key}::text || payments.provider_payment_id`)
          .where('payments.cycle_id', '=', event.cycleId),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return told !== undefined;
}
