import { randomBytes } from 'node:crypto';
import { maxWebhooks, type OwnDelivery, type Webhook, type WebhookAttempt } from '#shared/contract/webhooks.ts';
import { type WebhookEventType, webhookEventTypes } from '#shared/contract/webhook-events.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { formatWebhookSecret } from '#shared/domain/webhook.ts';
import { mayHear } from '#shared/policies/members/webhooks.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { newId } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { describeAttempt, describeDelivery, describeWebhook, eventsInOrder, shownUrl } from './describe.ts';
import { sendAgain, sendTestTo } from './queue.ts';
import {
  countDue,
  insertWebhook,
  lockWebhook,
  selectAttempts,
  selectDeliveries,
  selectDelivery,
  selectWebhook,
  selectWebhooks,
  updateSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts';

export { listFailingEndpoints, selectFailingWebhooks } from './failing.ts';
export { queueWebhooks } from './queue.ts';
export { deliverInTurns, deliveryJobs } from './turns.ts';

const hourMs = 3_600_000;
export const newSecret = (): Buffer => randomBytes(32);

/** Until when an old secret signs too; null: no longer. */
export const overlapEnd = (nowMs: number, overlapHours: number) =>
  overlapHours === 0 ? null : new Date(nowMs + overlapHours * hourMs);

/** Deliveries of an owner that are due, with which tests and replays are refused: about a minute's work if nothing responds. */
export const maxDueDeliveries = 10;

interface Settings {
  url: string;
  events: WebhookEventType[];
}

export async function listWebhooks(portal: Portal, owner: Owner): Promise<Webhook[]> {
  const rows = await selectWebhooks(owner, portal.db);
  return rows.map((row) => {
    const webhook = describeWebhook(row, webhookEventTypes, portal.machineClock());
    // An operator who sees the portal as the customer gets no token that may be in the address.
    return portal.isView ? { ...webhook, url: shownUrl(webhook.url) } : webhook;
  });
}

/** Adds a webhook. Only this response contains its secret. */
export async function addWebhook(portal: Portal, owner: SignedInMember, settings: Settings) {
  requireHeard(owner, settings.events);
  await requireUsable(portal, settings.url);
  const id = newId('WHK');
  const secret = newSecret();
  const webhook = await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    if ((await selectWebhooks(owner, tx)).length >= maxWebhooks) throw refuse('too_many_webhooks');
    const { url } = settings;
    const events = eventsInOrder(webhookEventTypes, settings.events);
    await insertWebhook(owner, tx, { id, url, events, secret, now: new Date(portal.clock()), made_by: owner.memberId });
    return requireWebhook(owner, tx, id);
  });
  return {
    webhook: describeWebhook(webhook, webhookEventTypes, portal.machineClock()),
    secret: formatWebhookSecret(secret),
  };
}

export async function changeWebhook(
  portal: Portal,
  owner: SignedInMember,
  id: string,
  change: Settings & { enabled: boolean },
): Promise<Webhook> {
  // Before the address is checked, so that only the owner learns anything.
  const { url, events: before } = await requireWebhook(owner, portal.db, id);
  // With another address too, a role would hear what is not for it.
  requireHeard(owner, [...before, ...change.events]);
  if (change.url !== url || change.enabled) await requireUsable(portal, change.url);
  const events = eventsInOrder(webhookEventTypes, change.events);
  const changed = await transaction(portal.db, async (tx) => {
    const now = new Date(portal.machineClock());
    await lockWebhook(tx, id);
    requireHeard(owner, (await requireWebhook(owner, tx, id)).events);
    if (!(await updateWebhook(owner, tx, id, { ...change, events }, now))) throw refuse('not_found');
    return requireWebhook(owner, tx, id);
  });
  return describeWebhook(changed, webhookEventTypes, portal.machineClock());
}

/** Gives a webhook a new secret. During the overlap every delivery has a signature of both, and of any before whose own overlap lasts. */
export async function rollSecret(portal: Portal, owner: Owner, id: string, overlapHours: number) {
  const secret = newSecret();
  const now = portal.machineClock();
  const oldUntil = overlapEnd(now, overlapHours);
  const rolled = await transaction(portal.db, async (tx) => {
    if (!(await updateSecret(owner, tx, id, secret, { now: new Date(now), oldUntil }))) throw refuse('not_found');
    return requireWebhook(owner, tx, id);
  });
  return { webhook: describeWebhook(rolled, webhookEventTypes, now), secret: formatWebhookSecret(secret) };
}

/** Sends a test event. */
export function sendTest(portal: Portal, owner: Owner, id: string): Promise<string> {
  return transaction(portal.db, async (tx) => {
    await requireEnabled(owner, tx, id);
    await requireFewDue(owner, tx);
    return sendTestTo(portal, owner, tx, id);
  });
}

export async function listDeliveries(portal: Portal, owner: SignedInMember, id: string): Promise<OwnDelivery[]> {
  await requireWebhook(owner, portal.db, id);
  const deliveries = (await selectDeliveries(owner, portal.db, id)).map(describeDelivery);
  // The response may repeat the body.
  return deliveries.map((each) =>
    mayHear(owner.role, each.type) ? each : { ...each, body: null, responseStart: null },
  );
}

/** The attempts of a delivery and their results, newest first. */
export async function listAttempts(
  portal: Portal,
  owner: SignedInMember,
  id: string,
  deliveryId: string,
): Promise<WebhookAttempt[]> {
  const delivery = await selectDelivery(owner, portal.db, deliveryId);
  if (delivery?.webhook_id !== id) throw refuse('not_found');
  const attempts = (await selectAttempts(owner, portal.db, deliveryId)).map(describeAttempt);
  return mayHear(owner.role, delivery.type) ? attempts : attempts.map((each) => ({ ...each, responseStart: null }));
}

/** Sends a delivery again: the same event with the same id and new signatures. */
export async function replayDelivery(portal: Portal, owner: Owner, id: string, deliveryId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    // Check ownership before the state: another customer's id is not found, whether the webhook is on or off.
    const webhook = await requireWebhook(owner, tx, id);
    // Before the delivery is due itself.
    await requireFewDue(owner, tx);
    if (!(await sendAgain(portal, owner, tx, { webhookId: id, deliveryId }))) throw refuse('not_found');
    if (webhook.disabled_at !== null) throw refuse('webhook_disabled');
  });
}

function requireHeard({ role }: SignedInMember, events: readonly string[]): void {
  if (!events.every((type) => mayHear(role, type))) throw refuse('not_your_role');
}

async function requireUsable(portal: Portal, url: string): Promise<void> {
  if ((await portal.outbound.faultOf(url)) !== undefined) throw refuse('invalid_webhook_url');
}

async function requireWebhook(owner: Owner, db: Db | Tx, id: string): Promise<WebhookRow> {
  const webhook = await selectWebhook(owner, db, id);
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
