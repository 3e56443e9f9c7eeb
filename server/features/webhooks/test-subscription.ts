import { expect, onTestFinished } from 'vitest';
import {
  createWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  testWebhook,
} from '#shared/contract/webhooks.ts';
import { type WebhookEventType, webhookEventTypes } from '#shared/contract/webhook-events.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startReceiver } from './test-receiver.ts';

/** A portal that delivers webhooks, whose retries are an hour late: a slow test would see one that is due after five seconds. */
export async function startDeliveringPortal(): Promise<TestPortal> {
  const world = await startTestPortal({ jobs: false, rounds: true });
  const { jobs } = world.portal;
  world.portal.jobs = {
    ...jobs,
    send: (tx, name, data, { startAfterSeconds = 0 } = {}) =>
      jobs.send(tx, name, data, { startAfterSeconds: startAfterSeconds === 0 ? 0 : startAfterSeconds + 3600 }),
  };
  return world;
}

/** A customer with a webhook to the test's receiver. */
export async function subscribeTo(portal: TestPortal, events: readonly WebhookEventType[] = webhookEventTypes) {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const token = await portal.newCustomer();
  const { webhook, secret } = await portal.ask(
    createWebhook,
    { body: { url: receiver.url, events: [...events] } },
    token,
  );
  const params = { webhookId: webhook.id };
  const sendTest = async () => (await portal.ask(testWebhook, { params }, token)).deliveryId;
  const deliveryOf = async (id: string) =>
    (await portal.ask(listWebhookDeliveries, { params }, token)).deliveries.find((each) => each.id === id);
  const webhookNow = async () => (await portal.ask(listWebhooks, {}, token)).webhooks[0];
  /** Waits until a delivery has had this many attempts. */
  const tried = (id: string, tries: number) => expect.poll(async () => (await deliveryOf(id))?.tries).toBe(tries);
  const attemptsOf = async (id: string) =>
    (await portal.ask(listWebhookAttempts, { params: { ...params, deliveryId: id } }, token)).attempts;
  return { receiver, token, webhook, secret, params, sendTest, deliveryOf, attemptsOf, webhookNow, tried };
}
