import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { deleteActivation } from '#shared/contract/activations.ts';
import { buyPack, endCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { daysBetween } from '#shared/domain/day.ts';
import { verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { runRounds } from '#server/start-rounds.ts';
import { type PackPortal, startPackPortal } from './test-packs.ts';

let portal: PackPortal;
beforeAll(async () => {
  portal = await startPackPortal();
});
afterAll(() => portal.close());

test('a paid pack raises both quotas of the running cycle at once, with an invoice of its own', async () => {
  const { token, activationId, cycleId, order, running } = await portal.withPlan('growth');
  const before = await running();
  expect(before?.packOffers).toMatchObject([
    { id: 'extra-1000', units: 1000, total: 99 },
    { id: 'extra-200', units: 200, total: 25.5 },
  ]);
  const packId = await order();
  expect((await running())?.monthlyQuota).toBe(before?.monthlyQuota);
  expect(await portal.payFor(token, packId)).toBe('success');
  const after = await running();
  expect(after).toMatchObject({
    dailyQuota: (before?.dailyQuota ?? 0) + 1000,
    monthlyQuota: (before?.monthlyQuota ?? 0) + 1000,
    packs: [{ id: packId, units: 1000, price: 99, status: 'PAID' }],
  });
  expect((await portal.ask(readUsage, { params: { activationId } }, token)).insights.monthlyUse.quotaLimit).toBe(
    after?.monthlyQuota,
  );
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  const entry = billingCycles.find(({ id }) => id === packId);
  expect(entry).toMatchObject({ amount: 99, status: 'PAID', fromDate: portal.today(), toDate: before?.toDate });
  expect(entry?.documents).toMatchObject([{ kind: 'INVOICE', total: 99 }]);
  // The cycle itself stays the one that runs.
  expect(after?.id).toBe(cycleId);
  expect(await portal.faults()).toEqual([]);
});

test('a free plan takes packs where the catalogue offers them; other plans and days take none', async () => {
  const { token, order, running } = await portal.withPlan('free');
  expect(await portal.payFor(token, await order('extra-200'))).toBe('success');
  expect((await running())?.packs).toHaveLength(1);
  const other = await portal.withPlan('starter');
  expect((await other.running())?.packOffers).toEqual([]);
  expect(
    (await portal.send(buyPack, { params: { activationId: other.activationId, packId: 'extra-200' } }, other.token))
      .body,
  ).toMatchObject({ code: 'not_found' });
  const stranger = await portal.newCustomer();
  expect(
    (await portal.send(buyPack, { params: { activationId: other.activationId, packId: 'extra-200' } }, stranger)).body,
  ).toMatchObject({ code: 'not_found' });
  expect(await portal.faults()).toEqual([]);
});

test('one unpaid pack waits at a time, and a payment for the one before is refunded', async () => {
  const { token, order, running } = await portal.withPlan('growth');
  const first = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: first } }, token);
  const second = await order('extra-200');
  expect(await portal.verify(token, orderId)).toBe('refunded');
  expect(await portal.payFor(token, second)).toBe('success');
  expect((await running())?.packs.map(({ id }) => id)).toEqual([second]);
  expect(await portal.faults()).toEqual([]);
});

test('a payment of a pack that failed is told with its reason, and no longer once the pack is paid', async () => {
  const { token, order, running } = await portal.withPlan('growth');
  const packId = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: packId } }, token);
  const declined = await portal.pay(orderId, { outcome: 'insufficient_fund' });
  const paymentId = z.object({ error: z.object({ metadata: z.object({ payment_id: z.string() }) }) }).parse(declined)
    .error.metadata.payment_id;
  expect(await settlePayment(portal.portal, paymentId)).toBe('failed');
  const failed = { id: paymentId, status: 'failed', reason: expect.stringContaining('enough funds') };
  expect((await running())?.packs).toMatchObject([{ id: packId, status: 'PAYMENT_PENDING', payments: [failed] }]);
  expect((await running())?.payments).toMatchObject([{ status: 'captured' }]);
  expect(await portal.verify(token, orderId)).toBe('success');
  const [pack] = (await running())?.packs ?? [];
  expect(pack?.status).toBe('PAID');
  // The provider dates payments to the second.
  expect(pack?.payments.map(({ status }) => status).toSorted()).toEqual(['captured', 'failed']);
  expect(await portal.faults()).toEqual([]);
});

test('a payment after the cycle has ended is refunded', async () => {
  const { token, activationId, cycleId, order } = await portal.withPlan('growth');
  const { orderId } = await portal.ask(createOrder, { params: { id: await order() } }, token);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, token);
  expect(await portal.verify(token, orderId)).toBe('refunded');
  expect(await portal.faults()).toEqual([]);
});

test('a paid pack cannot be ended alone, and an unpaid one can be removed', async () => {
  const { token, activationId, order } = await portal.withPlan('growth');
  const paid = await order();
  await portal.payFor(token, paid);
  const end = (billingCycleId: string) => ({ params: { activationId, billingCycleId } });
  expect((await portal.send(endCycle, end(paid), token)).body).toMatchObject({ code: 'cannot_deactivate' });
  expect((await portal.ask(endCycle, end(await order()), token)).kind).toBe('remove');
  await runRounds(portal.portal);
  expect(await portal.faults()).toEqual([]);
});

test('a pack that nobody paid ends with its plan: removed, its order closed, and a payment that still comes refunded', async () => {
  const { token, activationId, cycleId, order, running } = await portal.withPlan('growth');
  const packId = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: packId } }, token);
  const statusOf = async (id: string) =>
    (await portal.portal.db.selectFrom('cycles').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status;
  await runRounds(portal.portal);
  expect(await statusOf(packId)).toBe('PAYMENT_PENDING');
  const days = daysBetween(portal.today(), (await running())?.toDate ?? '');
  portal.moveClock((days - 1) * 86_400_000);
  await runRounds(portal.portal);
  expect(await statusOf(packId)).toBe('PAYMENT_PENDING');
  portal.moveClock(86_400_000);
  const late = await portal.send(createOrder, { params: { id: packId } }, token);
  expect(late.body).toMatchObject({ code: 'no_plan_running' });
  await runRounds(portal.portal);
  expect(await statusOf(packId)).toBe('REMOVED');
  expect(await statusOf(cycleId)).toBe('PAID');
  const removed = await portal.send(createOrder, { params: { id: packId } }, token);
  expect(removed.body).toMatchObject({ code: 'nothing_to_pay' });
  const [opened] = await portal.portal.db
    .selectFrom('payment_orders')
    .select('status')
    .where('provider_order_id', '=', orderId)
    .execute();
  expect(opened?.status).toBe('CLOSED');
  expect(await portal.verify(token, orderId)).toBe('refunded');
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(billingCycles.filter(({ id, status }) => id === packId && status !== 'REMOVED')).toEqual([]);
  expect(await portal.faults()).toEqual([]);
  // The books tell of one that the rounds left behind.
  let found: string[] = [];
  const leftBehind = portal.owner.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update cycles set status = 'PAYMENT_PENDING', ended_at = null where id = ${packId}`.execute(tx);
    found = (await verifyWithin(tx)).faults;
    throw new Error('rolled back');
  });
  await expect(leftBehind).rejects.toThrow('rolled back');
  expect(found.join('\n')).toContain(`pack ${packId} waits for a payment although its plan ended`);
});

test('an activation that is deleted just after its plan ended takes the unpaid pack with it', async () => {
  const { token, activationId, order, running } = await portal.withPlan('growth');
  const packId = await order();
  portal.moveClock(daysBetween(portal.today(), (await running())?.toDate ?? '') * 86_400_000);
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  const pack = portal.portal.db.selectFrom('cycles').select('status').where('id', '=', packId);
  expect(await pack.executeTakeFirst()).toEqual({ status: 'REMOVED' });
  expect(await portal.faults()).toEqual([]);
});

test.each([
  [
    'a pack of a cycle that has ended',
    "adds_to = (select id from cycles where status = 'DEACTIVATED' limit 1)",
    /packs_add_to|never|does not run/,
  ],
  [
    'a pack with other days than its cycle',
    `to_date = to_date + 1, from_date = from_date + 1`,
    /dates can't change|does not run/,
  ],
  ['more units than were sold', 'monthly_quota = monthly_quota + 1, daily_quota = daily_quota + 1', /never changes/],
])('the database refuses %s', async (_what, set, expected) => {
  const { token, order } = await portal.withPlan('growth');
  const packId = await order();
  await portal.payFor(token, packId);
  await expect(sql`update cycles set ${sql.raw(set)} where id = ${packId}`.execute(portal.portal.db)).rejects.toThrow(
    expected,
  );
});
