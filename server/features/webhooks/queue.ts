import { sql } from 'kysely';
import type { ProviderEventType } from '#shared/contract/provider-events.ts';
import type { WebhookEventType } from '#shared/contract/webhook-events.ts';
import type { Tx } from '#shared/database/connect.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import { customerEventOf } from './customer-events.ts';
import { providerEventOf } from './provider-events.ts';
import { provider, updateDeliveryReplayed, type WebhookOwner } from './store.ts';

/** Queues an event for the webhooks that ask for it: the customer's, and the provider's. Webhooks added later don't get it. */
export async function queueWebhooks(portal: EventContext, owner: Owner, tx: Tx, event: PortalEvent): Promise<void> {
  const told = [
    { hearer: owner, said: customerEventOf(event), about: {} },
    { hearer: provider, said: providerEventOf(event), about: { customerId: owner.customerId } },
  ].flatMap(({ said, ...to }) => (said === undefined ? [] : [{ ...to, ...said }]));
  if (told.length === 0) return;
  const webhooks = await tx
    .selectFrom('webhooks')
    .select(['id', 'customer_id', 'events'])
    .where((webhook) => webhook.or([webhook('customer_id', '=', owner.customerId), webhook('customer_id', 'is', null)]))
    .where('disabled_at', 'is', null)
    .execute();
  const asked = told
    .map((each) => ({
      ...each,
      asking: webhooks.filter((of) => of.customer_id === each.hearer.customerId && of.events.includes(each.type)),
    }))
    .filter(({ asking }) => asking.length > 0);
  if (asked.length === 0) return;
  const facts = 'cycleId' in event ? await selectPlanFacts(owner, tx, event.cycleId) : {};
  for (const { hearer, type, about, data, asking } of asked) {
    const eventId = await insertEvent(portal, hearer, tx, type, { ...about, ...facts, ...data });
    for (const { id } of asking) await queueDelivery(portal, hearer, tx, id, eventId);
  }
}

async function selectPlanFacts(owner: Owner, tx: Tx, cycleId: string) {
  const cycle = await tx
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan', 'from_date', 'to_date'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  return {
    activationId: cycle.activation_id,
    productId: cycle.service_id,
    billingCycleId: cycleId,
    planId: cycle.plan.planId,
    planName: cycle.plan.name,
    fromDate: cycle.from_date,
    toDate: cycle.to_date,
  };
}

/** Stores an event as the bytes that are sent. */
export async function insertEvent(
  portal: EventContext,
  owner: WebhookOwner,
  tx: Tx,
  type: WebhookEventType | ProviderEventType | 'webhook.test',
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
  owner: WebhookOwner,
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
  await portal.jobs.send(tx, deliveryJobOf(owner), { deliveryId: id, tries: 0 });
  return id;
}

/** The provider's deliveries have workers of their own: however many there are, no customer's waits for them, nor they for those. */
export const deliveryJobOf = ({ customerId }: WebhookOwner) =>
  customerId === null ? 'deliver-provider-webhook' : 'deliver-webhook';

/** Sends a test event to a webhook. */
export async function sendTestTo(portal: EventContext, owner: WebhookOwner, tx: Tx, webhookId: string) {
  const data = { message: 'This is a test event that you requested.' };
  const eventId = await insertEvent(portal, owner, tx, 'webhook.test', data);
  return queueDelivery(portal, owner, tx, webhookId, eventId);
}

/** Restarts the attempts of a delivery. False when the owner's webhook has no such delivery. */
export async function sendAgain(
  { jobs }: EventContext,
  owner: WebhookOwner,
  tx: Tx,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<boolean> {
  const isThere = await updateDeliveryReplayed(owner, tx, webhookId, deliveryId);
  if (isThere) await jobs.send(tx, deliveryJobOf(owner), { deliveryId, tries: 0 });
  return isThere;
}
