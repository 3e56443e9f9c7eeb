import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** The text form of a signing secret: `whsec_` and the base64 of its bytes (Standard Webhooks). */
export function formatWebhookSecret(secret: Buffer): string {
  return `${secretPrefix}${secret.toString('base64')}`;
}

/**
 * The headers of a delivery (Standard Webhooks 1.0.0): a signature v1 per secret, separated by spaces, over id, time
 * and body. `atMs`: the time of sending. Receivers refuse timestamps older than a few minutes, so each attempt gets a
 * new signature.
 */
export function signWebhook(
  secrets: readonly Buffer[],
  delivery: { id: string; body: string; atMs: number },
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(delivery.atMs / 1000));
  const signed = `${delivery.id}.${timestamp}.${delivery.body}`;
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  return {
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays after each failed attempt; the tenth and last is made 76 hours after the first. */
const retryPausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The delay after the given number of failed attempts (1 or more); undefined when there are no more attempts. */
export function webhookRetryPauseMs(failedTries: number): number | undefined {
  return retryPausesMs[failedTries - 1];
}

/** An address without a successful delivery for this long is switched off, and its owner notified. */
export const webhookFailureLimitMs = 72 * hourMs;

/** The result of an attempt: delivered, or not. `gone`: the receiver wants no more deliveries (410) and gets none. */
export type WebhookVerdict = 'delivered' | 'failed' | 'gone';

/**
 * Classifies a response by its status, undefined when there was none. Only 2xx is delivered; a redirect is not
 * followed.
 */
export function classifyWebhookResponse(status: number | undefined): WebhookVerdict {
  if (status === 410) return 'gone';
  return status !== undefined && status >= 200 && status < 300 ? 'delivered' : 'failed';
}
