import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listDisputes } from '#shared/contract/payments.ts';
import { webhookBodySchema, type WebhookEventType } from '#shared/contract/webhook-events.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { type PaidElsewhere, startElsewhere } from './test-elsewhere.ts';
import { type Money, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());
beforeEach(() => money.behave({ webhooks: { enabled: false } }));

async function dispute(one: PaidElsewhere, phase = 'chargeback'): Promise<string> {
  const { id } = await money.standin('POST', `/standin/payments/${one.paymentId}/dispute`, { phase });
  await recordDispute(money.portal, String(id));
  return String(id);
}

async function move(id: string, status: string): Promise<void> {
  await money.standin('POST', `/standin/disputes/${id}/${status}`, {});
  await recordDispute(money.portal, id);
}

const seen = async (one: PaidElsewhere) => (await money.ask(listDisputes, {}, one.token)).disputes;

test('a customer sees an open dispute and who has to act, until it is decided, and no one else’s', async () => {
  const [one, other] = [await elsewhere.paid(), await elsewhere.paid()];
  expect(await seen(one)).toEqual([]);
  const id = await dispute(one);
  const shown = {
    disputeId: id,
    paymentId: one.paymentId,
    billingCycleId: one.cycleId,
    activationId: one.activationId,
    amount: 1499,
    openedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  };
  expect(await seen(one)).toEqual([{ ...shown, status: 'ANSWERING' }]);
  await move(id, 'under_review');
  expect(await seen(one)).toEqual([{ ...shown, status: 'DECIDING' }]);
  expect(await seen(other)).toEqual([]);
  await move(id, 'won');
  expect(await seen(one)).toEqual([]);
  // The bank only asks a question: it claims no money yet.
  await dispute(other, 'retrieval');
  expect(await seen(other)).toEqual([]);
});

test.each([
  ['won', 'payment_stands'],
  ['closed', 'payment_stands'],
  ['lost', 'refunded'],
])('webhooks get each dispute once when it is opened and once with its outcome: %s', async (status, outcome) => {
  const one = await elsewhere.paid();
  const events: WebhookEventType[] = ['dispute.opened', 'dispute.ended'];
  await money.ask(createWebhook, { body: { url: 'https://1.1.1.1/hook', events } }, one.token);
  const id = await dispute(one);
  await recordDispute(money.portal, id);
  await move(id, 'under_review');
  await move(id, status);
  await recordDispute(money.portal, id);
  const rows = await money.portal.db
    .selectFrom('webhook_events')
    .select(['type', 'body'])
    .where('customer_id', '=', one.customerId)
    .orderBy('created_at')
    .execute();
  const facts = { disputeId: id, paymentId: one.paymentId, billingCycleId: one.cycleId, amount: 1499, currency: 'INR' };
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'dispute.opened', data: facts },
    { type: 'dispute.ended', data: { ...facts, outcome } },
  ]);
  for (const type of events) {
    const row = rows.find((each) => each.type === type);
    expect(webhookBodySchema(type).safeParse(JSON.parse(row?.body ?? '')).error).toBeUndefined();
  }
});
