import { randomBytes } from 'node:crypto';
import { maxWebhooks, type Webhook, type WebhookAttempt, type WebhookDelivery } from '#shared/contract/webhooks.ts';
import { type WebhookEventType, webhookEventTypes } from '#shared/contract/webhook-events.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { formatWebhookSecret } from '#shared/domain/webhook.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { newId } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { insertEvent, queueDelivery } from './queue.ts';
import {
  countDue,
  type DeliveryRow,
  hasDelivery,
  insertWebhook,
  selectAttempts,
  selectDeliveries,
  selectWebhooks,
  updateDeliveryReplayed,
  updateSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts';

export { queueWebhooks } from './queue.ts';
export { deliverInTurns } from './turns.ts';

const hourMs = 3_600_000;
const secretBytes = 32;

/** Deliveries of a customer that are due, with which tests and replays are refused: about a minute's work if nothing responds. */
const maxDueDeliveries = 10;

interface Settings {
  url: string;
  events: WebhookEventType[];
}

export async function listWebhooks(portal: Portal, owner: Owner): Promise<Webhook[]> {
  const rows = await selectWebhooks(owner, portal.db);
  return rows.map((row) => describeWebhook(row, portal.machineClock()));
}

/** Adds a webhook. Only this response contains its secret. */
export async function addWebhook(portal: Portal, owner: Owner, settings: Settings) {
  await requireUsable(portal, settings.url);
  const id = newId('WHK');
  const secret = randomBytes(secretBytes);
  const webhook = await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    if ((await selectWebhooks(owner, tx)).length >= maxWebhooks) throw refuse('too_many_webhooks');
    await insertWebhook(owner, tx, { id, ...inOrder(settings), secret, now: new Date(portal.clock()) });
    return requireWebhook(owner, tx, id);
  });
  return { webhook: describeWebhook(webhook, portal.machineClock()), secret: formatWebhookSecret(secret) };
}

export async function changeWebhook(
  portal: Portal,
  owner: Owner,
  id: string,
  change: Settings & { enabled: boolean },
): Promise<Webhook> {
  // Before the address is checked, so that only the owner learns anything.
  const { url } = await requireWebhook(owner, portal.db, id);
  if (change.url !== url || change.enabled) await requireUsable(portal, change.url);
  const changed = await transaction(portal.db, async (tx) => {
    const now = new Date(portal.machineClock());
    if (!(await updateWebhook(owner, tx, id, { ...change, ...inOrder(change) }, now))) throw refuse('not_found');
    return requireWebhook(owner, tx, id);
  });
  return describeWebhook(changed, portal.machineClock());
}

/** Gives a webhook a new secret. During the overlap every delivery has a signature of both, and of any before whose own overlap lasts. */
export async function rollSecret(portal: Portal, owner: Owner, id: string, overlapHours: number) {
  const secret = randomBytes(secretBytes);
  const now = portal.machineClock();
  const oldUntil = overlapHours === 0 ? null : new Date(now + overlapHours * hourMs);
  const rolled = await transaction(portal.db, async (tx) => {
    if (!(await updateSecret(owner, tx, id, secret, { now: new Date(now), oldUntil }))) throw refuse('not_found');
    return requireWebhook(owner, tx, id);
  });
  return { webhook: describeWebhook(rolled, now), secret: formatWebhookSecret(secret) };
}

/** Sends a test event. */
export function sendTest(portal: Portal, owner: Owner, id: string): Promise<string> {
  return transaction(portal.db, async (tx) => {
    await requireEnabled(owner, tx, id);
    await requireFewDue(owner, tx);
    const data = { message: 'This is a test event that you requested.' };
    const eventId = await insertEvent(portal, owner, tx, 'webhook.test', data);
    return queueDelivery(portal, owner, tx, id, eventId);
  });
}

export async function listDeliveries(portal: Portal, owner: Owner, id: string): Promise<WebhookDelivery[]> {
  await requireWebhook(owner, portal.db, id);
  return (await selectDeliveries(owner, portal.db, id)).map(describeDelivery);
}

/** The attempts of a delivery and their results, newest first. */
export async function listAttempts(
  portal: Portal,
  owner: Owner,
  id: string,
  deliveryId: string,
): Promise<WebhookAttempt[]> {
  if (!(await hasDelivery(owner, portal.db, id, deliveryId))) throw refuse('not_found');
  return (await selectAttempts(owner, portal.db, deliveryId)).map((row) => ({
    attempt: row.attempt,
    at: row.at.toISOString(),
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseStart: row.response_start,
    fault: row.fault,
  }));
}

/** Sends a delivery again: the same event with the same id and new signatures. */
export async function replayDelivery(portal: Portal, owner: Owner, id: string, deliveryId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    // Check ownership before the state: another customer's id is not found, whether the webhook is on or off.
    const webhook = await requireWebhook(owner, tx, id);
    // Before the delivery is due itself.
    await requireFewDue(owner, tx);
    if (!(await updateDeliveryReplayed(owner, tx, id, deliveryId))) throw refuse('not_found');
    if (webhook.disabled_at !== null) throw refuse('webhook_disabled');
    await portal.jobs.send(tx, 'deliver-webhook', { deliveryId, tries: 0 });
  });
}

async function requireUsable(portal: Portal, url: string): Promise<void> {
  if ((await portal.outbound.faultOf(url)) !== undefined) throw refuse('invalid_webhook_url');
}

async function requireWebhook(owner: Owner, db: Db | Tx, id: string): Promise<WebhookRow> {
  const webhook = (await selectWebhooks(owner, db)).find((each) => each.id === id);
  if (!webhook) throw refuse('not_found');
  return webhook;
}

async function requireEnabled(owner: Owner, tx: Tx, id: string): Promise<void> {
  const webhook = await requireWebhook(owner, tx, id);
  if (webhook.disabled_at !== null) throw refuse('webhook_disabled');
}

/** Tests and replays are made at will: not while more is due than two attempts at a time can send soon. */
async function requireFewDue(owner: Owner, tx: Tx): Promise<void> {
  await lockCustomer(owner, tx);
  if ((await countDue(owner, tx)) >= maxDueDeliveries) throw refuse('too_many_deliveries');
}

/** Removes duplicate events and puts them in the contract's order. */
function inOrder({ url, events }: Settings): Settings {
  return { url, events: webhookEventTypes.filter((type) => events.includes(type)) };
}

function describeWebhook(row: WebhookRow, nowMs: number): Webhook {
  const oldSecretUntil = row.old_secret_until;
  return {
    id: row.id,
    url: row.url,
    events: webhookEventTypes.filter((type) => row.events.includes(type)),
    createdAt: row.created_at.toISOString(),
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    oldSecretUntil: oldSecretUntil && oldSecretUntil.getTime() > nowMs ? oldSecretUntil.toISOString() : null,
    lastDeliveryAt: row.last_tried_at?.toISOString() ?? null,
  };
}

function describeDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    createdAt: row.created_at.toISOString(),
    status: row.status,
    tries: row.tries,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
    triedAt: row.tried_at?.toISOString() ?? null,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseStart: row.response_start,
    fault: row.fault,
    body: row.body,
  };
}
