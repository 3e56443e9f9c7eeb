import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createWebhook,
  listWebhooks,
  replayWebhookDelivery,
  rollWebhookSecret,
  testWebhook,
  updateWebhook,
} from '#shared/contract/webhooks.ts';
import type { WebhookEventType } from '#shared/contract/webhook-events.ts';
import { dayOf } from '#shared/domain/day.ts';
import { deleteOldRows } from '#server/retention/delete-old.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { deliverWebhook } from './deliver.ts';
import { verifiedSignatures } from './test-receiver.ts';
import { startDeliveringPortal, subscribeTo } from './test-subscription.ts';

let portal: TestPortal;
beforeAll(async () => void (portal = await startDeliveringPortal()));
afterAll(() => portal.close());

const subscribe = (events?: readonly WebhookEventType[]) => subscribeTo(portal, events);

test('a test event arrives, signed with the secret that was shown once, and its delivery is stored', async () => {
  const { receiver, secret, token, sendTest, deliveryOf, tried } = await subscribe();
  const id = await sendTest();
  const arrived = await receiver.next(({ type }) => type === 'webhook.test');
  expect(verifiedSignatures(arrived, secret)).toEqual([true]);
  expect(arrived.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Octroi-Webhooks/1' });
  expect(Math.abs(Number(arrived.headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(10_000);
  await tried(id, 1);
  expect(await deliveryOf(id)).toMatchObject({
    status: 'DELIVERED',
    eventId: arrived.headers['webhook-id'],
    type: 'webhook.test',
    responseStatus: 200,
    responseStart: 'thank you',
    nextTryAt: null,
    body: arrived.body,
  });
  const shown = (await portal.send(listWebhooks, {}, token)).text + portal.logLines.join('');
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain(secret.slice(6));
});

test('a failed delivery is retried with the same id and growing delays, and finally given up', async () => {
  const { receiver, sendTest, deliveryOf, tried, webhookNow } = await subscribe();
  receiver.respond(500, 'no\0t today');
  const id = await sendTest();
  await tried(id, 1);
  const first = await deliveryOf(id);
  expect(first).toMatchObject({ status: 'PENDING', responseStatus: 500, responseStart: 'not today' });
  expect(Date.parse(first?.nextTryAt ?? '') - Date.parse(first?.triedAt ?? '')).toBe(5000);
  expect((await webhookNow())?.failingSince).not.toBeNull();
  // The other attempts are hours apart: run them here as the queue would.
  for (let tries = 1; tries < 10; tries += 1) await deliverWebhook(portal.portal, { deliveryId: id, tries });
  expect(await deliveryOf(id)).toMatchObject({ status: 'FAILED', tries: 10, nextTryAt: null });
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(1);
  expect(receiver.received).toHaveLength(10);
});

test('a job that runs twice, or after a replay, sends nothing', async () => {
  const { receiver, sendTest, tried } = await subscribe();
  const id = await sendTest();
  await tried(id, 1);
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 0 });
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 4 });
  expect(receiver.received).toHaveLength(1);
});

test('replaying a delivery keeps its id, restarts its attempts and keeps the results of earlier ones', async () => {
  const { receiver, token, params, webhook, sendTest, deliveryOf, attemptsOf, tried } = await subscribe();
  receiver.respond(503, 'closed');
  const id = await sendTest();
  await tried(id, 1);
  await sql`update webhooks set url = 'https://169.254.169.254/latest' where id = ${webhook.id}`.execute(
    portal.portal.db,
  );
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
  await sql`update webhooks set url = ${webhook.url} where id = ${webhook.id}`.execute(portal.portal.db);
  receiver.respond(204);
  await portal.ask(replayWebhookDelivery, { params: { ...params, deliveryId: id } }, token);
  await expect.poll(async () => (await deliveryOf(id))?.status).toBe('DELIVERED');
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
  expect((await deliveryOf(id))?.tries).toBe(1);
  const attempts = await attemptsOf(id);
  expect(
    attempts.map(({ attempt, responseStatus, responseStart, fault }) => [
      attempt,
      responseStatus,
      responseStart,
      fault,
    ]),
  ).toEqual([
    [3, 204, '', null],
    [2, null, null, 'the address is not on the public internet'],
    [1, 503, 'closed', null],
  ]);
  for (const { at, durationMs } of attempts) {
    expect(Date.parse(at)).toBeGreaterThan(0);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

test('attempts are deleted with their delivery, thirty days after the event', async () => {
  const { sendTest, deliveryOf, tried } = await subscribe();
  const id = await sendTest();
  await tried(id, 1);
  const kept = async () =>
    (await portal.portal.db.selectFrom('webhook_attempts').select('at').where('delivery_id', '=', id).execute()).length;
  expect(await kept()).toBe(1);
  const eventId = (await deliveryOf(id))?.eventId ?? '';
  await sql`update webhook_events set created_at = now() - interval '29 days' where id = ${eventId}`.execute(
    portal.owner.db,
  );
  await deleteOldRows(portal.portal.db, { machine: new Date(), today: dayOf(portal.portal.clock()) });
  expect(await kept()).toBe(1);
  await sql`update webhook_events set created_at = now() - interval '31 days' where id = ${eventId}`.execute(
    portal.owner.db,
  );
  await deleteOldRows(portal.portal.db, { machine: new Date(), today: dayOf(portal.portal.clock()) });
  expect(await kept()).toBe(0);
});

test('after rolling a secret the old one also signs during the overlap, and not without an overlap', async () => {
  const { receiver, token, params, secret: old, sendTest, tried, webhookNow } = await subscribe();
  const { secret } = await portal.ask(rollWebhookSecret, { params, body: { overlapHours: 24 } }, token);
  expect(secret).not.toBe(old);
  expect((await webhookNow())?.oldSecretUntil).not.toBeNull();
  await tried(await sendTest(), 1);
  const [both] = receiver.received;
  expect(both && verifiedSignatures(both, secret)).toEqual([true, false]);
  expect(both && verifiedSignatures(both, old)).toEqual([false, true]);
  await sql`update webhooks set old_secret_until = now() - interval '1 second' where id = ${params.webhookId}`.execute(
    portal.portal.db,
  );
  await tried(await sendTest(), 1);
  expect(receiver.received[1] && verifiedSignatures(receiver.received[1], secret)).toEqual([true]);
  const last = await portal.ask(rollWebhookSecret, { params, body: { overlapHours: 0 } }, token);
  await tried(await sendTest(), 1);
  expect(receiver.received[2] && verifiedSignatures(receiver.received[2], last.secret)).toEqual([true]);
});

test('a second roll within the overlap ends no secret before its time', async () => {
  const { receiver, token, params, secret: first, sendTest, tried } = await subscribe();
  const { secret: second } = await portal.ask(rollWebhookSecret, { params, body: { overlapHours: 24 } }, token);
  const { secret: third } = await portal.ask(rollWebhookSecret, { params, body: { overlapHours: 12 } }, token);
  await tried(await sendTest(), 1);
  const [sent] = receiver.received;
  for (const secret of [first, second, third]) expect(sent && verifiedSignatures(sent, secret)).toContain(true);
  expect(sent && verifiedSignatures(sent, third)).toHaveLength(3);
  // The first one's day is over before the second one's hours.
  await sql`update webhooks set older_secrets = jsonb_set(older_secrets, '{0,until}', to_jsonb(now() - interval '1 second'))
    where id = ${params.webhookId}`.execute(portal.portal.db);
  await tried(await sendTest(), 1);
  expect(receiver.received[1] && verifiedSignatures(receiver.received[1], first)).toEqual([false, false]);
  const { secret: last } = await portal.ask(rollWebhookSecret, { params, body: { overlapHours: 0 } }, token);
  await tried(await sendTest(), 1);
  expect(receiver.received[2] && verifiedSignatures(receiver.received[2], last)).toEqual([true]);
});

test('after three days of failures a webhook is switched off, with a mail; after switching it on deliveries continue', async () => {
  const { receiver, token, params, webhook, sendTest, deliveryOf, tried, webhookNow } = await subscribe();
  receiver.respond(500);
  const waiting = await sendTest();
  await tried(waiting, 1);
  await sql`update webhooks set failing_since = now() - interval '72 hours' where id = ${webhook.id}`.execute(
    portal.portal.db,
  );
  const last = await sendTest();
  await tried(last, 1);
  expect((await webhookNow())?.disabledReason).toBe('FAILING');
  expect((await deliveryOf(waiting))?.status).toBe('FAILED');
  const mails = await portal.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('dedupe_key', 'like', `webhook-disabled:${webhook.id}:%`)
    .execute();
  expect(mails).toEqual([
    {
      subject: expect.stringMatching(/^Webhook switched off: 127\.0\.0\.1/),
      body_text: expect.stringContaining(webhook.url),
    },
  ]);
  expect((await portal.send(testWebhook, { params }, token)).body).toMatchObject({ code: 'webhook_disabled' });
  const replay = { params: { ...params, deliveryId: last } };
  expect((await portal.send(replayWebhookDelivery, replay, token)).body).toMatchObject({ code: 'webhook_disabled' });
  receiver.respond(200);
  const body = { url: webhook.url, events: webhook.events, enabled: true };
  expect(await portal.ask(updateWebhook, { params, body }, token)).toMatchObject({
    disabledReason: null,
    failingSince: null,
  });
  await portal.ask(replayWebhookDelivery, replay, token);
  await expect.poll(async () => (await deliveryOf(last))?.status).toBe('DELIVERED');
});

test('a 410 Gone response switches a webhook off at once', async () => {
  const { receiver, sendTest, tried, webhookNow } = await subscribe();
  receiver.respond(410);
  await tried(await sendTest(), 1);
  expect((await webhookNow())?.disabledReason).toBe('GONE');
});

test.each([
  'http://1.1.1.1/hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://0xa.1:8443/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://[64:ff9b::a00:1]/hook',
  'https://name:password@1.1.1.1/hook',
  'ftp://1.1.1.1/hook',
  'hook',
])('the address %s is refused, when adding and when changing a webhook', async (url) => {
  const { token, params, webhook, webhookNow } = await subscribe();
  const body = { url, events: webhook.events };
  expect((await portal.send(createWebhook, { body }, token)).body).toMatchObject({ code: 'invalid_webhook_url' });
  const changed = await portal.send(updateWebhook, { params, body: { ...body, enabled: true } }, token);
  expect(changed.body).toMatchObject({ code: 'invalid_webhook_url' });
  expect((await webhookNow())?.url).toBe(webhook.url);
});

test('nothing is sent to an address that has become private since it was added', async () => {
  const { receiver, webhook, sendTest, deliveryOf, tried } = await subscribe();
  await sql`update webhooks set url = 'https://169.254.169.254/latest' where id = ${webhook.id}`.execute(
    portal.portal.db,
  );
  const id = await sendTest();
  await tried(id, 1);
  expect(await deliveryOf(id)).toMatchObject({
    responseStatus: null,
    fault: 'the address is not on the public internet',
  });
  expect(receiver.received).toEqual([]);
});

test('a customer can have ten webhooks, even when adding more simultaneously', async () => {
  const { token, webhook } = await subscribe();
  const body = { url: webhook.url, events: webhook.events };
  const responses = await Promise.all(Array.from({ length: 12 }, () => portal.send(createWebhook, { body }, token)));
  expect(responses.filter((response) => response.status === 200)).toHaveLength(9);
  expect(responses.find((response) => response.status !== 200)?.body).toMatchObject({ code: 'too_many_webhooks' });
});
