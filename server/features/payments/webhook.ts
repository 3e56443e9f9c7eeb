import { z } from 'zod';
import { transaction } from '#database/transaction.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { sha256 } from '#server/platform/ids.ts';
import { hmacHex, sameBytes } from '#server/platform/same-bytes.ts';
import type { Portal } from '#server/portal.ts';
import { settlePayment } from './settle.ts';

const entity = z.object({ entity: z.object({ id: z.string().max(80) }) });
const eventSchema = z.object({
  event: z.string().max(80),
  payload: z.object({ payment: entity.optional(), refund: entity.optional() }),
});

/** Is the body signed with one of the secrets? Two are good while one replaces the other. */
export function isSigned(secrets: string, body: Buffer, signature: string): boolean {
  // Every secret is tried, so that the time tells nothing of which one matched.
  return secrets
    .split(',')
    .map((secret) => sameBytes(hmacHex(secret, body), signature))
    .includes(true);
}

/** Keeps a signed delivery and a job to act on it, in one transaction; the same body a second time changes nothing. */
export async function keepDelivery(portal: Portal, body: Buffer): Promise<boolean> {
  const parsed = eventSchema.safeParse(parseJson(body));
  if (!parsed.success) return false;
  const bodyHash = sha256(body);
  await transaction(portal.db, async (tx) => {
    const kept = await tx
      .insertInto('webhook_inbox')
      .values({
        body_hash: bodyHash,
        event: parsed.data.event,
        body: body.toString('utf8'),
        received_at: new Date(portal.machineClock()),
        processed_at: null,
        fault: null,
      })
      .onConflict((conflict) => conflict.column('body_hash').doNothing())
      .returning('event')
      .executeTakeFirst();
    if (kept) await portal.jobs.send(tx, 'settle-webhook', { bodyHash: bodyHash.toString('hex') });
  });
  return true;
}

/** Acts on a kept delivery. Its content is only a hint of where to look: the provider is asked for the truth. */
export async function settleDelivery(portal: Portal, bodyHash: string): Promise<void> {
  const hash = Buffer.from(bodyHash, 'hex');
  const row = await portal.db
    .selectFrom('webhook_inbox')
    .select('body')
    .where('body_hash', '=', hash)
    .executeTakeFirst();
  const event = eventSchema.safeParse(row?.body);
  if (!event.success) return;
  const { payment, refund } = event.data.payload;
  if (refund) await refreshRefund(portal, refund.entity.id);
  else if (payment) await settlePayment(portal, payment.entity.id);
  await portal.db
    .updateTable('webhook_inbox')
    .set({ processed_at: new Date(portal.machineClock()) })
    .where('body_hash', '=', hash)
    .execute();
}

async function refreshRefund(portal: Portal, providerRefundId: string): Promise<void> {
  const refund = await portal.db
    .selectFrom('refunds')
    .select('id')
    .where('provider_refund_id', '=', providerRefundId)
    .executeTakeFirst();
  if (refund) await carryOutRefund(portal, refund.id);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
