import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { startTestPortal, type TestPortal, webhookSecret } from '#server/test/portal.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ env: { STANDINS: 'yes' } });
});
afterAll(() => portal.close());

async function post(on: TestPortal, body: string, signature: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'x-standin-signature': signature };
  const response = await fetch(`${on.portalUrl}/backend/standins/clock`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}
const sorted = (days: string[]) => days.toSorted((a, b) => (a < b ? -1 : 1));
const signed = (body: string, secret = webhookSecret) => createHmac('sha256', secret).update(body).digest('hex');

test('in production the call does not exist', async () => {
  const real = await startTestPortal({ jobs: false });
  try {
    const body = JSON.stringify({ offsetMs: dayMs });
    const before = real.portal.clock();
    const response = await post(real, body, signed(body));
    expect(response.status).toBe(404);
    expect(response.text).toContain('Route POST:/backend/standins/clock not found');
    expect(real.portal.clock() - before).toBeLessThan(dayMs / 2);
  } finally {
    await real.close();
  }
});

test('the clock can’t be moved without the stand-ins’ secret', async () => {
  const body = JSON.stringify({ offsetMs: dayMs });
  for (const signature of ['', 'x', signed(body, 'another secret'), signed(`${body} `)]) {
    expect((await post(portal, body, signature)).status).toBe(401);
  }
  expect((await post(portal, '{"offsetMs":"1"}', signed('{"offsetMs":"1"}'))).status).toBe(400);
  expect(portal.portal.movedClock?.offsetMs()).toBe(0);
});

test('the stand-in’s page advances the clock by a year: each cycle starts, is invoiced and announced on its own day', async () => {
  const token = await portal.newCustomer();
  const firstDay = dayOf(portal.portal.clock());
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  await portal.buy(token, billingCycleId);
  for (let month = 1; month < 12; month += 1) {
    // The payment limit allows an activation three paid cycles per hour.
    if (month % 2 === 0) await portal.standin('POST', '/standin/product-clock', { advanceMs: 3_700_000 });
    const params = { activationId, planId: 'growth' };
    const body = { startDate: addDays(firstDay, 30 * month) };
    await portal.buy(token, (await portal.ask(addCycle, { params, body }, token)).billingCycleId ?? '');
  }
  for (let start = 1; start < 12; start += 1) {
    const state = await portal.standin('POST', '/standin/product-clock', { to: 'nextStart' });
    expect(state['today']).toBe(addDays(firstDay, 30 * start));
  }
  const end = await portal.standin('POST', '/standin/product-clock', { to: 'nextEnd' });
  expect(end['today']).toBe(addDays(firstDay, 360));
  expect(end['turns']).toMatchObject({ nextStart: null, nextEnd: null });

  const { documents } = await portal.ask(listDocuments, {}, token);
  const invoices = documents.flatMap(({ kind, date }) => (kind === 'INVOICE' ? [date] : []));
  expect(sorted(invoices)).toEqual(Array.from({ length: 12 }, (_, month) => addDays(firstDay, 30 * month)));
  const mails = await portal.portal.db.selectFrom('mails').select(['dedupe_key', 'created_at']).execute();
  const daysOf = (start: string) =>
    mails.filter(({ dedupe_key: key }) => key.startsWith(start)).map((mail) => dayOf(mail.created_at.getTime()));
  expect(sorted(daysOf('started:'))).toEqual(sorted(invoices).slice(1));
  expect(sorted(daysOf('ends:'))).toEqual([353, 357, 359].map((day) => addDays(firstDay, day)));
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('midnight is the first millisecond of the next day, and the clock can be set back to real time', async () => {
  const before = await portal.standin('POST', '/standin/product-clock', { to: 'midnight' });
  const sinceMidnight = Number(before['nowMs']) - startOfDay(String(before['today']));
  expect(sinceMidnight).toBeGreaterThanOrEqual(0);
  expect(sinceMidnight).toBeLessThan(60_000);
  const after = await portal.standin('POST', '/standin/product-clock', { reset: true });
  expect(after['offsetMs']).toBe(0);
  expect(Math.abs(portal.portal.clock() - Date.now())).toBeLessThan(5000);
});

test('moving the clock by an hour also makes hourly checks of the provider due', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  await portal.behave({ webhooks: { enabled: false } });
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  // UPI does not respond, the payment fails, and an hour later it is authorised after all; no webhook arrives.
  await portal.pay(orderId, { method: 'upi', outcome: 'late-authorisation' });
  await portal.standin('POST', '/standin/product-clock', { advanceMs: 2 * 3_600_000 });
  await expect
    .poll(async () => {
      const { db } = portal.portal;
      const row = await db.selectFrom('cycles').select('status').where('id', '=', billingCycleId).executeTakeFirst();
      return row?.status;
    })
    .toBe('PAID');
  await portal.behave({});
});

test('of two captures of a payment, one pays and one is refunded', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  await portal.behave({ captureTwice: true });
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  await portal.pay(orderId);
  await portal.behave({});
  const ended = () =>
    portal.portal.db
      .selectFrom('payments')
      .leftJoin('refunds', 'refunds.payment_id', 'payments.provider_payment_id')
      .select(['use', 'refunds.status'])
      .where('payments.cycle_id', '=', billingCycleId)
      .orderBy('use')
      .execute();
  await expect.poll(ended).toEqual([
    { use: 'CYCLE', status: null },
    { use: 'REFUND', status: 'PROCESSED' },
  ]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});
