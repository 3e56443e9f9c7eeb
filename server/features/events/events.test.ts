import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { type WebhookEventType, webhookBodySchema, webhookEventTypes } from '#shared/contract/webhook-events.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays } from '#shared/domain/day.ts';
import { finishDocument } from '#server/features/documents/documents.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { subscribers } from '#server/subscribers.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { happened } from './events.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
beforeAll(async () => void (portal = await startTestPortal()));
afterAll(() => portal.close());

type Buyer = Awaited<ReturnType<typeof newBuyer>>;

/** A buyer with a webhook for all or some events. Nothing is delivered: the tests look at the queue. */
async function newSubscriber(events: readonly WebhookEventType[] = webhookEventTypes): Promise<Buyer> {
  const buyer = await newBuyer(portal);
  const body = { url: 'https://1.1.1.1/hook', events: [...events] };
  await portal.ask(createWebhook, { body }, buyer.token);
  return buyer;
}

/** The queued deliveries of a buyer's webhook, oldest first, each body parsed by the contract. */
async function queued(buyer: Buyer) {
  const rows = await portal.portal.db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.id', 'event_id')
    .innerJoin('activations', 'activations.customer_id', 'webhook_events.customer_id')
    .select(['type', 'body'])
    .where('activations.id', '=', buyer.activationId)
    .orderBy('webhook_events.created_at')
    .execute();
  return rows.map(({ type, body }) => {
    const known = webhookEventTypes.find((each) => each === type);
    if (!known) throw new Error(type);
    const parsed = webhookBodySchema(known).parse(JSON.parse(body));
    return { type: parsed.type, data: { ...parsed.data } };
  });
}

const typesOf = async (buyer: Buyer) => (await queued(buyer)).map(({ type }) => type).toSorted();

test('a plan that is paid for and starts today sends an event with its invoice', async () => {
  const buyer = await newSubscriber();
  const cycleId = await buyer.buy(0);
  expect(await typesOf(buyer)).toEqual(['cycle.activated', 'invoice.issued']);
  const [invoice] = await buyer.documents();
  const events = (await queued(buyer)).find(({ type }) => type === 'invoice.issued');
  expect(events?.data).toMatchObject({
    activationId: buyer.activationId,
    productId: 'invoicing-system',
    billingCycleId: cycleId,
    planId: 'growth',
    documentId: invoice?.id,
    number: invoice?.number,
    total: 1499,
    currency: 'INR',
  });
  await runRounds(portal.portal);
  expect(await typesOf(buyer)).toHaveLength(2);
});

test('an advance sends one event each when it starts, before it ends and when it has ended', async () => {
  const buyer = await newSubscriber();
  const cycleId = await buyer.buy(3);
  expect(await typesOf(buyer)).toEqual([]);
  for (let day = 0; day < 35; day += 1) {
    portal.moveClock(dayMs);
    await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  }
  const events = await queued(buyer);
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'cycle.activated',
    'cycle.ended',
    'cycle.ending',
    'cycle.ending',
    'cycle.ending',
    'invoice.issued',
  ]);
  expect(events.filter(({ type }) => type === 'cycle.ending').map(({ data }) => data)).toEqual(
    [7, 3, 1].map((daysLeft) => expect.objectContaining({ daysLeft, billingCycleId: cycleId })),
  );
  expect(events.find(({ type }) => type === 'cycle.ended')?.data).toMatchObject({ reason: 'expired' });
});

test('deactivating a running plan sends cycle.ended; cancelling an upcoming one sends its refund', async () => {
  const buyer = await newSubscriber(['cycle.ended', 'cycle.cancelled', 'refund.started', 'refund.completed']);
  await buyer.end(await buyer.buy(0));
  const cancelled = await buyer.buy(5);
  await buyer.end(cancelled);
  await expect
    .poll(() => typesOf(buyer))
    .toEqual(['cycle.cancelled', 'cycle.ended', 'refund.completed', 'refund.started']);
  const events = await queued(buyer);
  expect(events.find(({ type }) => type === 'cycle.ended')?.data).toMatchObject({ reason: 'deactivated' });
  expect(events.find(({ type }) => type === 'cycle.cancelled')?.data).toMatchObject({
    billingCycleId: cancelled,
    refundAmount: 1499,
  });
  expect(events.find(({ type }) => type === 'refund.completed')?.data).toMatchObject({ amount: 1499, currency: 'INR' });
});

test('a failed payment sends an event with the bank’s reason', async () => {
  const buyer = await newSubscriber(['payment.failed']);
  const input = {
    params: { activationId: buyer.activationId, planId: 'growth' },
    body: { startDate: addDays(buyer.today(), 0) },
  };
  const { billingCycleId: id = '' } = await portal.ask(addCycle, input, buyer.token);
  const { orderId } = await portal.ask(createOrder, { params: { id } }, buyer.token);
  await portal.pay(orderId, { method: 'card', outcome: 'card_declined' });
  await expect.poll(() => typesOf(buyer)).toEqual(['payment.failed']);
  expect((await queued(buyer))[0]?.data).toMatchObject({
    billingCycleId: id,
    amount: 1499,
    reason: expect.any(String),
  });
});

test('the event about a free plan that was added again names the end of the 30 days of its monthly quota', async () => {
  const buyer = await newSubscriber(['quota.reached']);
  const add = (inDays: number) =>
    portal.ask(
      addCycle,
      {
        params: { activationId: buyer.activationId, planId: 'free' },
        body: { startDate: addDays(buyer.today(), inDays) },
      },
      buyer.token,
    );
  const { billingCycleId: first = '' } = await add(0);
  const windowEnd = addDays(buyer.today(), 30);
  // A first call opens the window.
  await sql`select open_free_window(cycles, ${buyer.today()}) from cycles where id = ${first}`.execute(
    portal.portal.db,
  );
  await buyer.end(first);
  const { billingCycleId: again = '' } = await add(1);
  portal.moveClock(dayMs);
  await runRounds(portal.portal);
  const { db } = portal.portal;
  const cycle = await db.selectFrom('cycles').selectAll().where('id', '=', again).executeTakeFirstOrThrow();
  await useUnits(portal.portal.db, again, buyer.today(), cycle.monthly_quota);
  await runRounds(portal.portal);
  const monthly = (await queued(buyer))
    .map(({ data }) => data)
    .filter((data) => 'quota' in data && data.quota === 'monthly');
  expect(monthly).toEqual([expect.objectContaining({ percent: 100, billingCycleId: again, renewsOn: windowEnd })]);
});

test('60, 80 and 100 % of a quota send one event per window, like the mails', async () => {
  const buyer = await newSubscriber(['quota.reached']);
  const cycleId = await buyer.buy(0);
  const { db } = portal.portal;
  const cycle = await db.selectFrom('cycles').selectAll().where('id', '=', cycleId).executeTakeFirstOrThrow();
  for (const share of [0.59, 0.6, 0.7, 0.8, 1, 1]) {
    await useUnits(portal.portal.db, cycleId, buyer.today(), Math.floor(cycle.daily_quota * share));
    await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  }
  const events = (await queued(buyer)).map(({ data }) => data);
  expect(events).toEqual(
    [60, 80, 100].map((percent) =>
      expect.objectContaining({ quota: 'daily', percent, limit: cycle.daily_quota, billingCycleId: cycleId }),
    ),
  );
});

test('an event without a subscribed webhook is not sent, not even to a webhook added later', async () => {
  const buyer = await newSubscriber(['payment.failed']);
  await buyer.buy(0);
  const events = await portal.portal.db.selectFrom('webhook_events').select('id').where('type', '=', 'x').execute();
  expect(events).toEqual([]);
  expect(await typesOf(buyer)).toEqual([]);
  const body = { url: 'https://1.1.1.1/late', events: [...webhookEventTypes] };
  await portal.ask(createWebhook, { body }, buyer.token);
  await runRounds(portal.portal);
  expect(await typesOf(buyer)).toEqual([]);
});

test('an event and its cause are written together, or neither', async () => {
  const buyer = await newSubscriber();
  const { db } = portal.owner;
  await sql`create function refuse_deliveries() returns trigger language plpgsql as $$ begin raise exception 'none today'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse_deliveries before insert on webhook_deliveries for each row execute function refuse_deliveries()`.execute(
    db,
  );
  try {
    await expect(buyer.buy(0)).rejects.toThrow('500');
    expect(await buyer.documents()).toEqual([]);
    // Looked at while the cause still fails: webhook and check of the order try again.
    expect(await typesOf(buyer)).toEqual([]);
  } finally {
    await sql`drop trigger refuse_deliveries on webhook_deliveries`.execute(db);
  }
});

test('an event that is reported several times at once sends one mail and one webhook delivery', async () => {
  const buyer = await newSubscriber(['payment.failed']);
  const cycleId = await buyer.buy(0);
  const { db } = portal.portal;
  const { customer_id: customerId } = await db
    .selectFrom('cycles')
    .select('customer_id')
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const paymentId = `pay_${cycleId}`;
  const event = { type: 'payment.failed', cycleId, paymentId, amountPaise: 100, reason: null } as const;
  const report = () => transaction(db, (tx) => happened(portal.portal, { customerId }, tx, event));
  const failing = {
    ...portal.portal,
    subscribers: [...subscribers, () => Promise.reject(new Error('a subscriber failed'))],
  };
  await expect(transaction(db, (tx) => happened(failing, { customerId }, tx, event))).rejects.toThrow('failed');
  expect(await typesOf(buyer)).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, report));
  await report();
  expect(await typesOf(buyer)).toEqual(['payment.failed']);
  const mails = await db.selectFrom('mails').select('id').where('dedupe_key', '=', `failed:${paymentId}`).execute();
  expect(mails).toHaveLength(1);
});

test('a PDF and the job that mails it are written together, or neither', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const { db } = portal.portal;
  const [invoice] = await buyer.documents();
  const documentId = invoice?.id ?? '';
  const { id: mailId } = await db
    .selectFrom('mails')
    .select('id')
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow();
  const jobs = async () =>
    (await sql`select id from pgboss.job where name = 'send-mail' and data ->> 'mailId' = ${mailId}`.execute(db)).rows;
  const failing = {
    ...portal.portal,
    subscribers: [...subscribers, () => Promise.reject(new Error('a subscriber failed'))],
  };
  await expect(finishDocument(failing, documentId)).rejects.toThrow('a subscriber failed');
  expect(await jobs()).toEqual([]);
  expect(await finishDocument(portal.portal, documentId)).toBeDefined();
  expect(await jobs()).toHaveLength(1);
});
