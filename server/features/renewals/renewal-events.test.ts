import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { endRenewal, skipRenewal } from '#shared/contract/renewals.ts';
import { webhookBodySchema, webhookEventTypes } from '#shared/contract/webhook-events.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { startTestPortal } from '#server/test/portal.ts';
import { useRenewals } from './test-renewals.ts';

const ofRenewals = webhookEventTypes.filter((type) => /^(mandate|renewal|payment|refund)\./.test(type));

const {
  the,
  params,
  renewal,
  today,
  cycles,
  debits,
  mandate,
  untilDebits,
  move,
  passDays,
  payWithConsent,
  goBefore,
  sentToBank,
} = useRenewals(startTestPortal, async (portal, token) => {
  // Nothing is delivered: the tests look at what is queued.
  await portal.ask(createWebhook, { body: { url: 'https://1.1.1.1/hook', events: ofRenewals } }, token);
});

/** What the customer's webhook was sent, oldest first, each body parsed by the contract. */
async function sent() {
  const rows = await the()
    .portal.portal.db.selectFrom('webhook_events')
    .select(['type', 'body'])
    .where('customer_id', '=', the().customerId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ type, body }) => {
    const known = ofRenewals.find((each) => each === type);
    if (!known) throw new Error(type);
    return { type: known, data: { ...webhookBodySchema(known).parse(JSON.parse(body)).data } };
  });
}
const types = async () => (await sent()).map(({ type }) => type);
const skip = (isSkipped: boolean) => the().portal.ask(skipRenewal, { ...params(), body: { isSkipped } }, the().token);

test('a debit is announced with amount, day and the end of the time to skip it, and its payment is told once', async () => {
  const { portal, activationId } = the();
  await expect.poll(types).toEqual(['mandate.confirmed']);
  const [running] = await cycles();
  const ofRunning = { activationId, planId: 'growth', billingCycleId: running?.id, toDate: running?.toDate };
  const { id: mandateId } = await mandate();
  const ceiling = { ceiling: 1874, currency: 'INR', lastDay: (await renewal()).mandate?.lastDay, pinEachTime: false };
  expect((await sent())[0]?.data).toMatchObject({ ...ofRunning, mandateId, ...ceiling });

  await goBefore(5);
  const renewsFrom = running?.toDate ?? '';
  const debitOn = addDays(today(), 1);
  expect((await sent())[1]).toEqual({
    type: 'renewal.announced',
    data: expect.objectContaining({
      ...ofRunning,
      mandateId,
      amount: 1499,
      currency: 'INR',
      renewsFrom,
      renewsTo: addDays(renewsFrom, 30),
      debitOn,
      skipUntil: new Date(startOfDay(debitOn)).toISOString(),
      pinEachTime: false,
    }),
  });

  await goBefore(4);
  await untilDebits('SENT');
  await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  await move(2);
  await untilDebits('PAID');
  await portal.standin('POST', '/standin/webhooks/replay', {});
  await passDays(1);
  expect(await types()).toEqual(['mandate.confirmed', 'renewal.announced', 'renewal.paid']);
  const [debit] = await debits().execute();
  expect((await sent())[2]?.data).toMatchObject({
    billingCycleId: debit?.cycle_id,
    fromDate: renewsFrom,
    mandateId,
    orderId: debit?.order_id,
    attempt: 1,
    amount: 1499,
    currency: 'INR',
    paymentId: debit?.payment_id,
  });
});

test('a debit that fails is told with its reason and the day of the second try, and that one by itself', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  const failed = (await sent()).filter(({ type }) => type === 'renewal.failed');
  const [first] = await debits().execute();
  const about = { orderId: first?.order_id, paymentId: first?.payment_id, reason: first?.reason };
  expect(failed.map(({ data }) => data)).toMatchObject([{ ...about, attempt: 1, againOn: addDays(today(), 1) }]);
  await passDays(1);
  await untilDebits('FAILED', 'SENT');
  await move(1.5);
  await untilDebits('FAILED', 'PAID');
  expect(await types()).toEqual([
    'mandate.confirmed',
    'renewal.announced',
    'renewal.failed',
    'payment.failed',
    'renewal.paid',
  ]);
  expect((await sent()).at(-1)?.data).toMatchObject({ attempt: 2 });
});

test('a skip is told once each time, and so is taking it back; removing the next period skips it too', async () => {
  const { portal, token, activationId } = the();
  await goBefore(6);
  const [running] = await cycles();
  const renewsFrom = running?.toDate;
  for (const isSkipped of [false, true, true, false, false]) await skip(isSkipped);
  const startDate = renewsFrom ?? '';
  const next = { params: { activationId, planId: 'growth' }, body: { startDate } };
  const { billingCycleId = '' } = await portal.ask(addCycle, next, token);
  await portal.ask(endCycle, { params: { activationId, billingCycleId } }, token);
  expect((await sent()).slice(1)).toMatchObject([
    { type: 'renewal.skipped', data: { renewsFrom, skippedBy: 'CUSTOMER', billingCycleId: running?.id } },
    { type: 'renewal.resumed', data: { renewsFrom } },
    { type: 'renewal.skipped', data: { renewsFrom, skippedBy: 'REMOVAL' } },
  ]);
  await goBefore(5);
  await goBefore(1);
  expect(await types()).toHaveLength(4);
});

test('a debit that its payer skips at the bank has failed, and its period is skipped', async () => {
  const { portal } = the();
  const debit = await sentToBank();
  await portal.standin('POST', `/standin/payments/${debit?.payment_id}/skip`, {});
  await untilDebits('FAILED');
  expect((await sent()).slice(2)).toMatchObject([
    { type: 'renewal.skipped', data: { skippedBy: 'BANK', renewsFrom: debit?.first_day } },
    { type: 'renewal.failed', data: { orderId: debit?.order_id, againOn: null } },
    { type: 'payment.failed', data: { paymentId: debit?.payment_id } },
  ]);
});

test('a debit that is withheld is told with the reason, also of an account that is blocked', async () => {
  const { portal, customerId } = the();
  await goBefore(5);
  const cause = { actor: 'asha', reason: 'Fraud' };
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId }, cause);
  await goBefore(4);
  await passDays(1);
  expect((await sent()).slice(2)).toMatchObject([{ type: 'renewal.withheld', data: { reason: 'blocked' } }]);
});

test('a bank that has not answered when the plan ends is told of, and what it pays then', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const debit = await sentToBank();
  await passDays(4);
  await portal.standin('POST', `/standin/payments/${debit?.payment_id}/authorize`, {});
  await untilDebits('PAID');
  expect((await sent()).slice(2)).toMatchObject([
    { type: 'renewal.withheld', data: { reason: 'no_answer', renewsFrom: debit?.first_day } },
    { type: 'renewal.paid', data: { orderId: debit?.order_id } },
  ]);
});

test('the end of a mandate is told once, with who ended it', async () => {
  const { portal, token } = the();
  const [running] = await cycles();
  await portal.ask(endRenewal, params(), token);
  await portal.ask(endRenewal, params(), token);
  await runRounds(portal.portal);
  expect((await sent()).slice(1)).toMatchObject([
    { type: 'mandate.ended', data: { endedBy: 'CUSTOMER', billingCycleId: running?.id } },
  ]);
});

test('a mandate that ends with its activation is told as deleted, by no mail, and as no skip of a period that is cancelled', async () => {
  const { portal, token, activationId, customerId } = the();
  const [running] = await cycles();
  const startDate = running?.toDate ?? '';
  const next = { params: { activationId, planId: 'growth' }, body: { startDate } };
  const { billingCycleId = '' } = await portal.ask(addCycle, next, token);
  await payWithConsent([billingCycleId], false);
  const { id } = await mandate();
  await portal.ask(deleteActivation, params(), token);
  const told = (await sent()).filter(({ type }) => /^(mandate|renewal)\./.test(type));
  expect(told.slice(1)).toMatchObject([{ type: 'mandate.ended', data: { endedBy: 'DELETION', mandateId: id } }]);
  const mails = portal.portal.db.selectFrom('mails').select('id').where('customer_id', '=', customerId);
  expect(await mails.where('subject', 'like', 'No longer renews%').execute()).toEqual([]);
});

test('what is not told has not happened: an event is written with its cause, or neither', async () => {
  const { portal, token } = the();
  const { db } = portal.owner;
  await sql`create function refuse_deliveries() returns trigger language plpgsql as $$ begin raise exception 'none today'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse_deliveries before insert on webhook_deliveries for each row execute function refuse_deliveries()`.execute(
    db,
  );
  try {
    expect(await portal.send(skipRenewal, { ...params(), body: { isSkipped: true } }, token)).toMatchObject({
      status: 500,
    });
    expect(await portal.send(endRenewal, params(), token)).toMatchObject({ status: 500 });
    expect(await mandate()).toMatchObject({ state: 'IN_FORCE', skipped_for: null });
  } finally {
    await sql`drop trigger refuse_deliveries on webhook_deliveries`.execute(db);
  }
  await skip(true);
  expect(await types()).toEqual(['mandate.confirmed', 'renewal.skipped']);
});
