import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import {
  classifyWebhookResponse,
  signWebhook,
  webhookFailureLimitMs,
  webhookRetryPauseMs,
} from '#shared/domain/webhook.ts';
import { happened } from '#server/features/events/events.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import type { OutboundResult } from '#server/outbound/outbound.ts';
import type { Portal } from '#server/portal.ts';
import { deliveryJobOf } from './queue.ts';
import { endIfOff, endPending, insertAttempt, lockWebhook } from './store.ts';

export type DeliveryJob = JobData['deliver-webhook'];

/**
 * Makes one attempt at a delivery, stores its result, and schedules the next attempt if one is due. Delivery is at least once: when the process
 * dies after the receiver has responded, the job runs again and the receiver gets the same id twice.
 */
export async function deliverWebhook(portal: Portal, job: DeliveryJob): Promise<void> {
  const due = await selectDue(portal, job);
  if (!due) return endIfOff(portal.db, job);
  const now = portal.machineClock();
  const before = [
    ...(due.old_secret && due.old_secret_until ? [{ secret: due.old_secret, until: due.old_secret_until }] : []),
    ...due.older_secrets.map(({ hex, until }) => ({ secret: Buffer.from(hex, 'hex'), until: new Date(until) })),
  ];
  const secrets = [due.secret, ...before.filter(({ until }) => until.getTime() > now).map(({ secret }) => secret)];
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Octroi-Webhooks/1',
    ...signWebhook(secrets, { id: due.event_id, body: due.body, atMs: now }),
  };
  const result = await portal.outbound.post(due.url, headers, due.body);
  await transaction(portal.db, (tx) => storeResult(portal, tx, { ...job, webhookId: due.webhook_id }, now, result));
}

/** The delivery; undefined when it was tried or replayed since the job was scheduled, or its webhook is switched off or deleted. */
function selectDue(portal: Portal, { deliveryId, tries }: DeliveryJob) {
  return portal.db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id')
    .select(['webhook_id', 'url', 'secret', 'old_secret', 'old_secret_until', 'older_secrets', 'event_id', 'body'])
    .where('webhook_deliveries.id', '=', deliveryId)
    .where('status', '=', 'PENDING')
    .where('tries', '=', tries)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
}

async function storeResult(
  portal: Portal,
  tx: Tx,
  job: DeliveryJob & { webhookId: string },
  triedAt: number,
  result: OutboundResult,
): Promise<void> {
  // Before its delivery, as everything that changes both does: otherwise a webhook's removal and this wait for each other.
  await lockWebhook(tx, job.webhookId);
  const delivery = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'tries', 'status', 'customer_id as customerId'])
    .where('id', '=', job.deliveryId)
    .forUpdate()
    .executeTakeFirst();
  // Deleted with its webhook, or handled by another process in the meantime.
  if (!delivery || delivery.tries !== job.tries || delivery.status === 'DELIVERED') return;
  // Its webhook was switched off in the meantime: the result counts, but nothing is tried again.
  const isOff = delivery.status === 'FAILED';
  const verdict = classifyWebhookResponse(result.status);
  const tries = delivery.tries + 1;
  const pauseMs = verdict === 'failed' && !isOff ? webhookRetryPauseMs(tries) : undefined;
  const came = {
    duration_ms: result.durationMs,
    response_status: result.status ?? null,
    response_start: result.responseStart ?? null,
    fault: result.fault ?? null,
  };
  await insertAttempt(tx, delivery.id, { at: new Date(triedAt), ...came });
  await tx
    .updateTable('webhook_deliveries')
    .set({
      tries,
      status: verdict === 'delivered' ? 'DELIVERED' : pauseMs === undefined ? 'FAILED' : 'PENDING',
      next_try_at: pauseMs === undefined ? null : new Date(triedAt + pauseMs),
      tried_at: new Date(triedAt),
      ...came,
    })
    .where('id', '=', delivery.id)
    .execute();
  if (pauseMs !== undefined) {
    const startAfterSeconds = Math.ceil(pauseMs / 1000);
    await portal.jobs.send(tx, deliveryJobOf(delivery), { deliveryId: delivery.id, tries }, { startAfterSeconds });
  }
  await updateHealth(portal, tx, job.webhookId, verdict, triedAt);
}

/** Records since when a webhook has been failing; after three days, or after a 410 response, switches it off with a mail. */
async function updateHealth(
  portal: Portal,
  tx: Tx,
  webhookId: string,
  verdict: ReturnType<typeof classifyWebhookResponse>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  const webhook = await tx
    .updateTable('webhooks')
    .set((hook) => ({
      failing_since: verdict === 'delivered' ? null : hook.fn.coalesce('failing_since', hook.val(now)),
    }))
    .where('id', '=', webhookId)
    .returning(['customer_id', 'url', 'disabled_at', 'failing_since'])
    .executeTakeFirst();
  if (!webhook || webhook.disabled_at !== null || webhook.failing_since === null) return;
  const failedTooLong = nowMs - webhook.failing_since.getTime() >= webhookFailureLimitMs;
  if (verdict !== 'gone' && !failedTooLong) return;
  const reason = verdict === 'gone' ? 'GONE' : 'FAILING';
  await tx
    .updateTable('webhooks')
    .set({ disabled_at: now, disabled_reason: reason })
    .where('id', '=', webhookId)
    .execute();
  await endPending(tx, webhookId);
  const { url, customer_id: customerId } = webhook;
  // Of the provider's own, the list of what waits tells.
  if (customerId === null) return;
  await happened(portal, { customerId }, tx, { type: 'webhook.disabled', webhookId, url, reason, at: now });
}
