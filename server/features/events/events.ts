import { sql } from 'kysely';
import { type WebhookEventData, type WebhookEventType } from '#contract/webhook-events.ts';
import type { Db, Tx } from '#database/connect.ts';
import { condition } from '#database/expressions.ts';
import { transaction } from '#database/transaction.ts';
import { addDays, type Day } from '#domain/day.ts';
import { newId } from '#server/crypto/ids.ts';
import type { RoundScope } from '#server/rounds/changes.ts';
import type { Caller, Portal } from '#server/portal.ts';

/** The services that announcing needs. */
type Announcer = Pick<Portal, 'clock' | 'jobs'>;

/** An event of a customer's cycle. */
export interface Happening<Type extends WebhookEventType> {
  type: Type;
  /** Deduplication key: an event is announced once per key. */
  occasion: string;
  cycleId: string;
  data: WebhookEventData<Type>;
}

/**
 * Announces an event to a customer's webhooks, in the transaction of its cause; both happen or neither. A customer without a
 * webhook for it gets nothing, not even from a webhook added later.
 */
export async function announce<Type extends WebhookEventType>(
  portal: Announcer,
  caller: Caller,
  tx: Tx,
  { type, occasion, cycleId, data }: Happening<Type>,
): Promise<void> {
  const webhooks = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('customer_id', '=', caller.customerId)
    .where('disabled_at', 'is', null)
    .where((webhook) => webhook(webhook.val<string>(type), '=', webhook.fn.any('events')))
    .execute();
  if (webhooks.length === 0) return;
  const cycle = await tx
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan', 'from_date', 'to_date'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', caller.customerId)
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
  const eventId = await insertEvent(portal, caller, tx, { type, occasion, data: { ...facts, ...data } });
  if (eventId === undefined) return;
  for (const webhook of webhooks) await queueDelivery(portal, caller, tx, webhook.id, eventId);
}

/** Stores an event as the bytes to send. Undefined when an event with this deduplication key exists. */
export async function insertEvent(
  portal: Announcer,
  caller: Caller,
  tx: Tx,
  event: { type: string; occasion: string; data: object },
): Promise<string | undefined> {
  const id = newId('EVT');
  const { type, occasion, data } = event;
  const inserted = await tx
    .insertInto('webhook_events')
    .values({
      id,
      customer_id: caller.customerId,
      occasion,
      type,
      body: JSON.stringify({ type, timestamp: new Date(portal.clock()).toISOString(), data }),
      created_at: sql`now()`,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'occasion']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** Queues the delivery of an event to a webhook. Deliveries use the machine's time, even while the product's clock is moved. */
export async function queueDelivery(
  portal: Announcer,
  caller: Caller,
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
      customer_id: caller.customerId,
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

/**
 * Announces the cycles that started or ended by time alone in the last three days; each once, however often this is called. A webhook
 * gets only events after its creation.
 */
export async function announceStartsAndEnds(portal: Portal, today: Day, scope: RoundScope): Promise<void> {
  for (const { id, customer_id } of await selectTurned(portal.db, 'cycle.activated', 'from_date', today, scope)) {
    await announceOne(portal, customer_id, activated(id));
  }
  for (const { id, customer_id } of await selectTurned(portal.db, 'cycle.ended', 'to_date', today, scope)) {
    const data = { reason: 'expired' } as const;
    await announceOne(portal, customer_id, { type: 'cycle.ended', occasion: `ended:${id}`, cycleId: id, data });
  }
}

/** A cycle that has started to give access. */
export function activated(cycleId: string): Happening<'cycle.activated'> {
  return { type: 'cycle.activated', occasion: `activated:${cycleId}`, cycleId, data: {} };
}

function announceOne<Type extends WebhookEventType>(
  portal: Portal,
  customerId: string,
  happening: Happening<Type>,
): Promise<void> {
  return transaction(portal.db, (tx) => announce(portal, { customerId }, tx, happening));
}

/** Cycles that started or ended recently and have a webhook from before that time, but no such event yet. */
function selectTurned(
  db: Db,
  type: 'cycle.activated' | 'cycle.ended',
  date: 'from_date' | 'to_date',
  today: Day,
  { customers }: RoundScope,
) {
  const word = type === 'cycle.activated' ? 'activated:' : 'ended:';
  let query = db
    .selectFrom('cycles')
    .select(['cycles.id', 'cycles.customer_id'])
    .where('cycles.status', 'in', ['PAID', 'NO_PAYMENT_REQUIRED'])
    .where(`cycles.${date}`, '>', addDays(today, -3))
    .where(`cycles.${date}`, '<=', today)
    .where((where) =>
      where.exists(
        where
          .selectFrom('webhooks')
          .select('webhooks.id')
          .whereRef('webhooks.customer_id', '=', 'cycles.customer_id')
          .where('webhooks.disabled_at', 'is', null)
          .where((webhook) => webhook(webhook.val<string>(type), '=', webhook.fn.any('webhooks.events')))
          .where(condition`(webhooks.created_at at time zone 'Asia/Kolkata')::date < ${sql.ref(`cycles.${date}`)}`),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('webhook_events')
            .select('webhook_events.id')
            .whereRef('webhook_events.customer_id', '=', 'cycles.customer_id')
            .where(condition`webhook_events.occasion = ${word} || cycles.id`),
        ),
      ),
    );
  if (customers !== 'all')
    query = query.where((cycle) => cycle('cycles.customer_id', '=', cycle.fn.any(cycle.val(customers))));
  return query.execute();
}
