import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition, countRows, databaseTime, transactionTime } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';

/** Whose webhooks: a customer's, or the provider's own, which have no customer. */
export interface WebhookOwner {
  customerId: string | null;
}
export const provider: WebhookOwner = { customerId: null };

export const ownedBy = ({ customerId }: WebhookOwner, column: string) =>
  customerId === null ? condition`${sql.ref(column)} is null` : condition`${sql.ref(column)} = ${customerId}`;

/** Maximum number of deliveries shown, and of attempts of one delivery. */
const newest = 50;
/** Maximum number of failures that an operator sees of a webhook. */
const newestFailures = 10;
/** Maximum number of secrets kept besides the current one and the one before it. */
const maxOlderSecrets = 8;

const webhooksOf = (owner: WebhookOwner, db: Db | Tx) =>
  db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((select) =>
      select
        .selectFrom('webhook_deliveries')
        .select((delivery) => delivery.fn.max('tried_at').as('at'))
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .as('last_tried_at'),
    )
    .where(ownedBy(owner, 'customer_id'));

export const selectWebhooks = (owner: WebhookOwner, db: Db | Tx) =>
  webhooksOf(owner, db).orderBy('created_at').orderBy('id').execute();

export const selectWebhook = (owner: WebhookOwner, db: Db | Tx, id: string) =>
  webhooksOf(owner, db).where('id', '=', id).executeTakeFirst();

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number];

export async function insertWebhook(
  owner: WebhookOwner,
  tx: Tx,
  webhook: { id: string; url: string; events: string[]; secret: Buffer; now: Date; made_by?: string },
): Promise<void> {
  const { now, ...values } = webhook;
  await tx
    .insertInto('webhooks')
    .values({
      ...values,
      customer_id: owner.customerId,
      old_secret: null,
      old_secret_until: null,
      created_at: now,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
    })
    .execute();
}

/** The newest deliveries of a webhook whose last attempt failed. */
export function selectFailures(owner: WebhookOwner, db: Db, webhookId: string) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .select(['delivery.id', 'event.type', 'delivery.status', 'delivery.tries', 'delivery.tried_at'])
    .select(['delivery.next_try_at', 'delivery.response_status', 'delivery.fault'])
    .where('delivery.webhook_id', '=', webhookId)
    .where(ownedBy(owner, 'delivery.customer_id'))
    .where('delivery.status', '<>', 'DELIVERED')
    .where('delivery.tries', '>', 0)
    .orderBy('delivery.created_at', 'desc')
    .limit(newestFailures)
    .execute();
}

/**
 * False when the owner has no such webhook. Switching it on resets its failures; switching it off ends the deliveries that wait for another
 * attempt.
 */
export async function updateWebhook(
  owner: WebhookOwner,
  tx: Tx,
  id: string,
  change: { url: string; events: string[]; enabled: boolean },
  now: Date,
): Promise<boolean> {
  const { url, events, enabled } = change;
  const updated = await tx
    .updateTable('webhooks')
    .set({ url, events })
    .set((webhook) =>
      enabled
        ? { disabled_at: null, disabled_reason: null, failing_since: null }
        : {
            disabled_at: webhook.fn.coalesce('disabled_at', webhook.val(now)),
            disabled_reason: webhook.fn.coalesce('disabled_reason', webhook.val('OWNER' as const)),
          },
    )
    .where('id', '=', id)
    .where(ownedBy(owner, 'customer_id'))
    .returning('id')
    .executeTakeFirst();
  if (updated !== undefined && !enabled) await endPending(tx, id);
  return updated !== undefined;
}

/** Ends the deliveries of a webhook that is off: their jobs do nothing, and nothing would be tried again once it is on. */
export async function endPending(tx: Tx, webhookId: string): Promise<void> {
  await pendingFailed(tx).where('webhook_id', '=', webhookId).execute();
}

/** Ends a delivery that was queued just while its webhook was switched off, unless it was tried since. */
export async function endIfOff(db: Db, { deliveryId, tries }: { deliveryId: string; tries: number }): Promise<void> {
  await pendingFailed(db)
    .where('id', '=', deliveryId)
    .where('tries', '=', tries)
    .where('webhook_id', 'in', (off) => off.selectFrom('webhooks').select('id').where('disabled_at', 'is not', null))
    .execute();
}

const pendingFailed = (db: Db | Tx) =>
  db.updateTable('webhook_deliveries').set({ status: 'FAILED', next_try_at: null }).where('status', '=', 'PENDING');

export async function deleteWebhook(owner: WebhookOwner, db: Db | Tx, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where(ownedBy(owner, 'customer_id'))
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/**
 * The current secret becomes the old one, which also signs until `oldUntil`, and those before it until their own ends; null: only the new one signs from
 * now on.
 */
export async function updateSecret(
  owner: WebhookOwner,
  tx: Tx,
  id: string,
  secret: Buffer,
  { now, oldUntil }: { now: Date; oldUntil: Date | null },
): Promise<boolean> {
  const before = await tx
    .selectFrom('webhooks')
    .select(['secret', 'old_secret', 'old_secret_until', 'older_secrets'])
    .where('id', '=', id)
    .where(ownedBy(owner, 'customer_id'))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (before === undefined) return false;
  await tx
    .updateTable('webhooks')
    .set({
      secret,
      old_secret: oldUntil === null ? null : before.secret,
      old_secret_until: oldUntil,
      older_secrets: JSON.stringify(oldUntil === null ? [] : olderSecrets(before, now)),
    })
    .where('id', '=', id)
    .where(ownedBy(owner, 'customer_id'))
    .execute();
  return true;
}

/** The old secrets that still sign before this change, newest first. */
function olderSecrets(
  webhook: Pick<WebhookRow, 'old_secret' | 'old_secret_until' | 'older_secrets'>,
  now: Date,
): WebhookRow['older_secrets'] {
  const { old_secret: secret, old_secret_until: until, older_secrets: older } = webhook;
  const old = secret && until ? [{ hex: secret.toString('hex'), until: until.toISOString() }] : [];
  return [...old, ...older].filter((each) => new Date(each.until) > now).slice(0, maxOlderSecrets);
}

const selectDescribed = (owner: WebhookOwner, db: Db | Tx) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id')
    .selectAll('webhook_deliveries')
    .select(['webhook_events.type', 'webhook_events.body'])
    .where(ownedBy(owner, 'webhook_deliveries.customer_id'));

export const selectDelivery = (owner: WebhookOwner, db: Db | Tx, deliveryId: string) =>
  selectDescribed(owner, db).where('webhook_deliveries.id', '=', deliveryId).executeTakeFirst();

export function selectDeliveries(owner: WebhookOwner, db: Db, webhookId: string) {
  return selectDescribed(owner, db)
    .where('webhook_deliveries.webhook_id', '=', webhookId)
    .orderBy('webhook_deliveries.created_at', 'desc')
    .orderBy('webhook_deliveries.id')
    .limit(newest)
    .execute();
}

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

export function selectAttempts(owner: WebhookOwner, db: Db, deliveryId: string) {
  return db
    .selectFrom('webhook_attempts')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'webhook_attempts.delivery_id')
    .selectAll('webhook_attempts')
    .where('webhook_attempts.delivery_id', '=', deliveryId)
    .where(ownedBy(owner, 'webhook_deliveries.customer_id'))
    .orderBy('attempt', 'desc')
    .limit(newest)
    .execute();
}

export type AttemptRow = Awaited<ReturnType<typeof selectAttempts>>[number];

/** The owner of a delivery that waits for this attempt, and its webhook; undefined when it was tried, replayed, ended or deleted since. */
export async function selectDueOwner(
  db: Db,
  { deliveryId, tries }: { deliveryId: string; tries: number },
): Promise<(WebhookOwner & { webhookId: string; isFailing: boolean }) | undefined> {
  const due = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.customer_id as customerId', 'webhook_id as webhookId', 'failing_since'])
    .where('webhook_deliveries.id', '=', deliveryId)
    .where('status', '=', 'PENDING')
    .where('tries', '=', tries)
    .executeTakeFirst();
  return due && { customerId: due.customerId, webhookId: due.webhookId, isFailing: due.failing_since !== null };
}

/** How many deliveries of the owner, or of one webhook, are being sent or should be, without those that wait for a later attempt. */
export async function countDue(owner: WebhookOwner, db: Db | Tx, webhookId?: string): Promise<number> {
  let due = db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(countRows().as('count'))
    .where(ownedBy(owner, 'webhooks.customer_id'))
    .where('status', '=', 'PENDING')
    // Not the transaction's time: it may have begun before those that it waited for.
    .where('next_try_at', '<=', databaseTime);
  if (webhookId !== undefined) due = due.where('webhooks.id', '=', webhookId);
  return (await due.executeTakeFirstOrThrow()).count;
}

/** Locks the provider's webhooks together: two that are added at the same time are counted one after the other. */
export async function lockProvider(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks of the provider'))`.execute(tx);
}

/** Locks a webhook against changes until the end of the transaction. Events can still be queued for it; one that was deleted is no fault. */
export async function lockWebhook(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Stores an attempt. The delivery's row must be locked. */
export async function insertAttempt(
  tx: Tx,
  deliveryId: string,
  attempt: Omit<Selectable<Tables['webhook_attempts']>, 'delivery_id' | 'attempt'>,
): Promise<void> {
  const before = tx
    .selectFrom('webhook_attempts')
    .select((attempts) =>
      attempts(attempts.fn.coalesce(attempts.fn.max('attempt'), attempts.lit(0)), '+', 1).as('next'),
    )
    .where('delivery_id', '=', deliveryId);
  await tx
    .insertInto('webhook_attempts')
    .values({ delivery_id: deliveryId, attempt: before, ...attempt })
    .execute();
}

/** Restarts the attempts of a delivery. False when the owner's webhook has no such delivery. */
export async function updateDeliveryReplayed(
  owner: WebhookOwner,
  tx: Tx,
  webhookId: string,
  deliveryId: string,
): Promise<boolean> {
  const updated = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'PENDING', tries: 0, next_try_at: transactionTime })
    .where('id', '=', deliveryId)
    .where('webhook_id', '=', webhookId)
    .where(ownedBy(owner, 'customer_id'))
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}
