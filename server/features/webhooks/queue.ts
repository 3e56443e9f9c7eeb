import { sql } from 'kysely';
import type { WebhookEventData, WebhookEventType } from '#shared/contract/webhook-events.ts';
import type { Tx } from '#shared/database/connect.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { rupees } from '#shared/domain/money.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner, EventContext } from '#server/portal.ts';

/** What webhooks say of an event beside the facts of its plan. */
const webhookData: { [Type in WebhookEventType]: (event: PortalEvent<Type>) => WebhookEventData<Type> } = {
  'quota.reached': ({ day, percent, used, limit, renewsOn }) => ({
    quota: day === null ? 'monthly' : 'daily',
    percent,
    used,
    limit,
    renewsOn,
  }),
  'cycle.activated': () => ({}),
  'cycle.ending': ({ daysLeft }) => ({ daysLeft }),
  'cycle.ended': ({ reason }) => ({ reason }),
  'cycle.cancelled': ({ refundPaise }) => ({ refundAmount: rupees(refundPaise) }),
  'invoice.issued': ({ documentId, number, date, totalPaise }) => ({
    documentId,
    number,
    date,
    total: rupees(totalPaise),
    currency: 'INR',
  }),
  'api.deprecated': ({ what, since, sunset, note, link }) => ({ deprecated: what, since, sunset, note, link }),
  'payment.failed': ({ paymentId, amountPaise, reason }) => ({
    paymentId,
    amount: rupees(amountPaise),
    currency: 'INR',
    reason,
  }),
  'refund.started': (event) => ({ ...refundOf(event), reason: event.reason }),
  'refund.completed': (event) => refundOf(event),
  'dispute.opened': (event) => disputeOf(event),
  'dispute.ended': (event) => ({
    ...disputeOf(event),
    outcome: event.status === 'lost' ? 'refunded' : 'payment_stands',
  }),
};

function refundOf({ refundId, paymentId, amountPaise }: PortalEvent<'refund.started' | 'refund.completed'>) {
  return { refundId, paymentId, amount: rupees(amountPaise), currency: 'INR' } as const;
}

function disputeOf({ disputeId, paymentId, amountPaise }: PortalEvent<'dispute.opened' | 'dispute.ended'>) {
  return { disputeId, paymentId, amount: rupees(amountPaise), currency: 'INR' } as const;
}

function isForWebhooks(event: PortalEvent): event is PortalEvent<WebhookEventType> {
  return Object.hasOwn(webhookData, event.type);
}

function dataOf<Type extends WebhookEventType>(event: PortalEvent<Type>): WebhookEventData<Type> {
  return webhookData[event.type](event);
}

/** Queues an event for the customer's webhooks that ask for it. Webhooks added later don't get it. */
export async function queueWebhooks(portal: EventContext, owner: Owner, tx: Tx, event: PortalEvent): Promise<void> {
  if (!isForWebhooks(event)) return;
  const { type, cycleId } = event;
  const webhooks = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .where('disabled_at', 'is', null)
    .where((webhook) => webhook(webhook.val<string>(type), '=', webhook.fn.any('events')))
    .execute();
  if (webhooks.length === 0) return;
  const cycle = await tx
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan', 'from_date', 'to_date'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  const facts = {
    activationId: cycle.activation_id,
    productId: cycle.service_id,
    billingCycleId: cycleId,
    planId: cycle.plan.planId,
    planName: cycle.plan.name,
    fromDate: cycle.from_date,
    toDate: cycle.to_date,
  };
  const eventId = await insertEvent(portal, owner, tx, type, { ...facts, ...dataOf(event) });
  for (const webhook of webhooks) await queueDelivery(portal, owner, tx, webhook.id, eventId);
}

/** Stores an event as the bytes that are sent. */
export async function insertEvent(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  type: WebhookEventType | 'webhook.test',
  data: object,
): Promise<string> {
  const id = newId('EVT');
  await tx
    .insertInto('webhook_events')
    .values({
      id,
      customer_id: owner.customerId,
      type,
      body: JSON.stringify({ type, timestamp: new Date(portal.clock()).toISOString(), data }),
      created_at: sql`now()`,
    })
    .execute();
  return id;
}

/** Puts an event on its way to a webhook. Deliveries follow the machine's time, also while the product's is moved. */
export async function queueDelivery(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  webhookId: string,
  eventId: string,
): Promise<string> {
  const id = newId('DLV');
  await tx
    .insertInto('webhook_deliveries')
    .values({
      id,
      webhook_id: webhookId,
      event_id: eventId,
      customer_id: owner.customerId,
      status: 'PENDING',
      created_at: sql`now()`,
      next_try_at: sql`now()`,
      tried_at: null,
      duration_ms: null,
      response_status: null,
      response_start: null,
      fault: null,
    })
    .execute();
  await portal.jobs.send(tx, 'deliver-webhook', { deliveryId: id, tries: 0 });
  return id;
}
