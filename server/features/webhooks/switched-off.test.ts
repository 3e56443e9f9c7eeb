import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deleteWebhook,
  listWebhookDeliveries,
  replayWebhookDelivery,
  updateWebhook,
} from '#shared/contract/webhooks.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { deliverWebhook } from './deliver.ts';
import { insertEvent, queueDelivery } from './queue.ts';
import { startDeliveringPortal, subscribeTo } from './test-subscription.ts';

let portal: TestPortal;
beforeAll(async () => void (portal = await startDeliveringPortal()));
afterAll(() => portal.close());

const subscribe = () => subscribeTo(portal);

test('nothing is sent to a webhook that its owner switched off or deleted', async () => {
  const { receiver, token, params, webhook, sendTest, webhookNow } = await subscribe();
  receiver.respond(500);
  const id = await sendTest();
  await expect.poll(() => receiver.received.length).toBe(1);
  const body = { url: webhook.url, events: webhook.events, enabled: false };
  await portal.ask(updateWebhook, { params, body }, token);
  expect((await webhookNow())?.disabledReason).toBe('OWNER');
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
  await portal.ask(deleteWebhook, { params }, token);
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
  expect(receiver.received).toHaveLength(1);
  expect((await portal.send(listWebhookDeliveries, { params }, token)).status).toBe(404);
});

test('a delivery that waited for another attempt when its owner switched the webhook off has failed, and can be replayed', async () => {
  const { receiver, token, params, webhook, sendTest, deliveryOf, tried } = await subscribe();
  receiver.respond(500);
  const id = await sendTest();
  await tried(id, 1);
  const body = { url: webhook.url, events: webhook.events };
  await portal.ask(updateWebhook, { params, body: { ...body, enabled: false } }, token);
  expect(await deliveryOf(id)).toMatchObject({ status: 'FAILED', tries: 1, nextTryAt: null });
  receiver.respond(200);
  await portal.ask(updateWebhook, { params, body: { ...body, enabled: true } }, token);
  await portal.ask(replayWebhookDelivery, { params: { ...params, deliveryId: id } }, token);
  await expect.poll(async () => (await deliveryOf(id))?.status).toBe('DELIVERED');
});

test('a delivery that was queued just while its owner switched the webhook off has failed, and can be replayed', async () => {
  const { receiver, token, params, webhook, sendTest, deliveryOf, tried } = await subscribe();
  const sent = await sendTest();
  await tried(sent, 1);
  const body = { url: webhook.url, events: webhook.events };
  const queued = await transaction(portal.portal.db, async (tx) => {
    const of = tx.selectFrom('webhooks').select('customer_id as customerId').where('id', '=', params.webhookId);
    const owner = await of.executeTakeFirstOrThrow();
    // It read the webhook while that was on.
    await portal.ask(updateWebhook, { params, body: { ...body, enabled: false } }, token);
    const eventId = await insertEvent(portal.portal, owner, tx, 'webhook.test', {});
    return queueDelivery(portal.portal, owner, tx, params.webhookId, eventId);
  });
  await expect.poll(async () => (await deliveryOf(queued))?.status).toBe('FAILED');
  expect(receiver.received).toHaveLength(1);
  await portal.ask(updateWebhook, { params, body: { ...body, enabled: true } }, token);
  await portal.ask(replayWebhookDelivery, { params: { ...params, deliveryId: queued } }, token);
  await expect.poll(async () => (await deliveryOf(queued))?.status).toBe('DELIVERED');
});

test('an attempt that was under way when its owner switched the webhook off keeps its result', async () => {
  const { receiver, token, params, webhook, sendTest, deliveryOf, tried } = await subscribe();
  receiver.respond(500);
  const id = await sendTest();
  await tried(id, 1);
  const post = async () => {
    const body = { url: webhook.url, events: webhook.events, enabled: false };
    await portal.ask(updateWebhook, { params, body }, token);
    return { durationMs: 1, status: 200, responseStart: 'thank you' };
  };
  const { outbound } = portal.portal;
  await deliverWebhook({ ...portal.portal, outbound: { ...outbound, post } }, { deliveryId: id, tries: 1 });
  expect(await deliveryOf(id)).toMatchObject({ status: 'DELIVERED', tries: 2, responseStatus: 200, nextTryAt: null });
});

test('a webhook is deleted while the result of an attempt is being stored, and neither waits for the other in a circle', async () => {
  const { receiver, token, params, sendTest, tried } = await subscribe();
  receiver.respond(500);
  const id = await sendTest();
  await tried(id, 1);
  const { db } = portal.portal;
  const deadlocks = async () => {
    const found = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
      where datname = current_database()`.execute(db);
    return found.rows[0]?.count;
  };
  const before = await deadlocks();
  const waiting = (count: number) => expect.poll(() => countWaiting(db)).toBe(count);
  const both = await transaction(db, async (tx) => {
    await tx.selectFrom('webhooks').select('id').where('id', '=', params.webhookId).forUpdate().execute();
    const deleted = portal.ask(deleteWebhook, { params }, token);
    await waiting(1);
    const stored = deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
    await waiting(2);
    return [deleted, stored];
  });
  await Promise.all(both);
  expect(receiver.received).toHaveLength(2);
  expect(await deadlocks()).toBe(before);
});
