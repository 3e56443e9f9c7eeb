import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from '#shared/contract/webhooks.ts';
import { createOutbound } from '#server/outbound/outbound.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startReceiver } from './test-receiver.ts';
import { startDeliveringPortal, subscribeTo } from './test-subscription.ts';
import { deliverInTurns } from './turns.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startDeliveringPortal();
  // No held response may time out in a slow test.
  portal.portal.outbound = createOutbound({ toLoopback: true, timeoutMs: 120_000 });
});
afterAll(() => portal.close());

/** A customer with a webhook whose receiver holds its responses. */
async function subscribeHeld() {
  const subscription = await subscribeTo(portal);
  subscription.receiver.hold();
  return subscription;
}

/** Another webhook of a customer. */
async function addWebhook(token: string) {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const body = { url: receiver.url, events: ['cycle.activated' as const] };
  const { webhook } = await portal.ask(createWebhook, { body }, token);
  const params = { webhookId: webhook.id };
  return { receiver, params, sendTest: () => portal.ask(testWebhook, { params }, token) };
}

/** Resolves when a delivery has a job that is due later: its turn has not come. */
const isWaiting = (deliveryId: string) =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pgboss.job
        where data ->> 'deliveryId' = ${deliveryId} and state = 'created' and start_after > now()`.execute(
        portal.portal.db,
      );
      return rows.length;
    })
    .toBe(1);

test('a customer whose receiver is silent has two attempts running, and another customer’s delivery does not wait for them', async () => {
  const slow = await subscribeHeld();
  const quick = await subscribeTo(portal);
  await slow.sendTest();
  await slow.sendTest();
  await expect.poll(() => slow.receiver.received.length).toBe(2);
  for (let waiting = 0; waiting < 6; waiting += 1) await isWaiting(await slow.sendTest());
  await quick.sendTest();
  await quick.receiver.next(({ type }) => type === 'webhook.test');
  expect(slow.receiver.received).toHaveLength(2);
});

test('receivers that failed and are silent now, however many, keep no other customer’s delivery waiting', async () => {
  const { db } = portal.portal;
  for (let each = 0; each < 4; each += 1) {
    const { params, sendTest } = await subscribeHeld();
    await db.updateTable('webhooks').set({ failing_since: new Date() }).where('id', '=', params.webhookId).execute();
    await sendTest();
    await sendTest();
  }
  const quick = await subscribeTo(portal);
  await quick.sendTest();
  expect(await quick.receiver.next(({ type }) => type === 'webhook.test')).toBeDefined();
});

test('each attempt that ends is followed by the delivery that has waited longest, until all are sent', async () => {
  const { receiver, sendTest, deliveryOf } = await subscribeHeld();
  const ids = [await sendTest(), await sendTest()];
  await expect.poll(() => receiver.received.length).toBe(2);
  for (let waiting = 0; waiting < 3; waiting += 1) {
    const id = await sendTest();
    await isWaiting(id);
    ids.push(id);
  }
  const third = (await deliveryOf(ids[2] ?? ''))?.eventId;
  receiver.releaseOne();
  await expect.poll(() => receiver.received.at(2)?.headers['webhook-id']).toBe(third);
  expect(receiver.received).toHaveLength(3);
  receiver.releaseAll();
  const statuses = () => Promise.all(ids.map(async (id) => (await deliveryOf(id))?.status));
  await expect.poll(statuses).toEqual(ids.map(() => 'DELIVERED'));
  expect(receiver.received).toHaveLength(5);
});

test('a waiting delivery that was deleted with its webhook does not hold up those behind it', async () => {
  const { receiver, token, sendTest } = await subscribeHeld();
  const [deleted, last] = [await addWebhook(token), await addWebhook(token)];
  await sendTest();
  await sendTest();
  await expect.poll(() => receiver.received.length).toBe(2);
  for (const { sendTest: sendWaiting } of [deleted, last]) await isWaiting((await sendWaiting()).deliveryId);
  await portal.ask(deleteWebhook, { params: deleted.params }, token);
  receiver.releaseOne();
  await last.receiver.next(({ type }) => type === 'webhook.test');
  expect(deleted.receiver.received).toEqual([]);
});

test('tests and replays are refused while ten deliveries of the customer are due', async () => {
  const { receiver, token, params, sendTest, tried } = await subscribeHeld();
  const responses = await Promise.all(Array.from({ length: 12 }, () => portal.send(testWebhook, { params }, token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(responses.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'too_many_deliveries' });
  const { deliveries } = await portal.ask(listWebhookDeliveries, { params }, token);
  const replay = { params: { ...params, deliveryId: deliveries[0]?.id ?? '' } };
  expect((await portal.send(replayWebhookDelivery, replay, token)).body).toMatchObject({ code: 'too_many_deliveries' });
  // Deliveries that wait for a later attempt are not due.
  receiver.respond(500);
  receiver.releaseAll();
  for (const { id } of deliveries) await tried(id, 1);
  await sql`update webhook_deliveries set next_try_at = now() + interval '5 minutes'
    where webhook_id = ${params.webhookId}`.execute(portal.portal.db);
  await portal.ask(replayWebhookDelivery, replay, token);
  await sendTest();
});

test('what waits is sent within a second when another portal took what an attempt that ended had sent', async () => {
  const idle = await startTestPortal({ jobs: false });
  onTestFinished(() => idle.close());
  const { receiver, sendTest } = await subscribeTo(idle);
  receiver.hold();
  const sent: string[] = [];
  const { jobs } = idle.portal;
  // Another portal takes every job that is due.
  const deliver = deliverInTurns({
    ...idle.portal,
    jobs: {
      ...jobs,
      send: async (tx, name, data, options) => {
        if (options?.startAfterSeconds === undefined && 'deliveryId' in data) sent.push(data.deliveryId);
        else await jobs.send(tx, name, data, options);
      },
    },
  });
  const ids: string[] = [];
  for (let each = 0; each < 6; each += 1) ids.push(await sendTest());
  const running = ids.slice(0, 2).map((deliveryId) => deliver({ deliveryId, tries: 0 }, 'deliver-webhook'));
  await expect.poll(() => receiver.received.length).toBe(2);
  for (const deliveryId of ids.slice(2)) await deliver({ deliveryId, tries: 0 }, 'deliver-webhook');
  receiver.releaseAll();
  await Promise.all(running);
  await expect.poll(() => sent).toEqual(ids.slice(2));
});
