import type { WebhookAttempt, WebhookDelivery } from '#shared/contract/webhooks.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './store.ts';

/** The chosen events once each, in the order of `types`. */
export const eventsInOrder = <Type extends string>(types: readonly Type[], chosen: readonly string[]): Type[] =>
  types.filter((type) => chosen.includes(type));

/** A webhook; `types`: the events that its owner may choose, in their order. */
export function describeWebhook<Type extends string>(row: WebhookRow, types: readonly Type[], nowMs: number) {
  const oldSecretUntil = row.old_secret_until;
  return {
    id: row.id,
    url: row.url,
    events: eventsInOrder(types, row.events),
    createdAt: row.created_at.toISOString(),
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    oldSecretUntil: oldSecretUntil && oldSecretUntil.getTime() > nowMs ? oldSecretUntil.toISOString() : null,
    lastDeliveryAt: row.last_tried_at?.toISOString() ?? null,
  };
}

export function describeDelivery(row: DeliveryRow): WebhookDelivery {
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

export function describeAttempt(row: AttemptRow): WebhookAttempt {
  return {
    attempt: row.attempt,
    at: row.at.toISOString(),
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseStart: row.response_start,
    fault: row.fault,
  };
}

/** Plain words and versions. Whatever else a path has may be the token of Slack, Zapier and their like. */
const plainSegment = /^(?:v\d{1,3}|[A-Za-z][a-z]{0,14}(?:[-_.][a-z]{1,15})*)?$/;

/** Without what may be a token: in its query, or in its path. */
export function shownUrl(address: string): string {
  const { origin, pathname, search } = new URL(address);
  const path = pathname.split('/').map((segment) => (plainSegment.test(segment) ? segment : '…'));
  return `${origin}${path.join('/')}${search === '' ? '' : '?…'}`;
}
