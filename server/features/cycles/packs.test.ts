import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { deleteActivation, listActivations } from '#contract/activations.ts';
import { buyPack, endCycle, previewEndCycle, switchPlan } from '#contract/cycles.ts';
import { listHistory } from '#contract/invoices.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { createOrder, verifyPayment } from '#contract/payments.ts';
import { readUsage } from '#contract/usage.ts';
import { dayOf, daysBetween } from '#domain/day.ts';
import { verifyLedgerOf, verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { useUnits, useUnitsOfCycle } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  // The Tax Lookup API loses what is not used, the Invoicing System refunds it.
  const packs = JSON.stringify([
    { id: 'extra-1000', name: 'Extra 1000', units: 1000, price: 99 },
    { id: 'extra-200', name: 'Extra 200', units: 200, price: 25.5 },
  ]);
  const plans = { 'plans.growth.packs': packs, 'plans.free.packs': packs };
  const catalogDir = changedCatalog({
    'tax-lookup-api': plans,
    'invoicing-system': { ...plans, onDeactivate: 'refund-unused' },
  });
  portal = await startTestPortal({ catalogDir });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const today = () => dayOf(portal.portal.clock());

async function pay(token: string, id: string): Promise<string> {
  return (await portal.buy(token, id)).status;
}

async function verify(token: string, orderId: string): Promise<string> {
  return (await portal.ask(verifyPayment, { body: await portal.checkOut(orderId) }, token)).status;
}

async function withPlan(planId: string, service = 'tax-lookup-api') {
  const token = await portal.newCustomer();
  const activated = await portal.ask(activatePlan, { params: { id: service, planId } }, token);
  const { activationId, billingCycleId: cycleId = '' } = activated;
  if (planId !== 'free') await pay(token, cycleId);
  const order = async (packId = 'extra-1000') =>
    (await portal.ask(buyPack, { params: { activationId, packId } }, token)).billingCycleId;
  const running = async () => {
    const [activation] = (await portal.ask(listActivations, {}, token)).activations;
    return activation?.billingCycles.find(({ id }) => id === cycleId);
  };
  return { token, activationId, cycleId, order, running };
}

/** What all books say of everything that these tests did. */
const faults = async () => (await verifyLedgerOf(portal.portal.db)).faults;

test('a paid pack raises both quotas of the running cycle at once, with an invoice of its own', async () => {
  const { token, activationId, cycleId, order, running } = await withPlan('growth');
  const before = await running();
  expect(before?.packOffers).toMatchObject([
    { id: 'extra-1000', units: 1000, total: 99 },
    { id: 'extra-200', units: 200, total: 25.5 },
  ]);
  const packId = await order();
  expect((await running())?.monthlyQuota).toBe(before?.monthlyQuota);
  expect(await pay(token, packId)).toBe('success');
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
  expect(entry).toMatchObject({ amount: 99, status: 'PAID', fromDate: today(), toDate: before?.toDate });
  expect(entry?.documents).toMatchObject([{ kind: 'INVOICE', total: 99 }]);
  // The cycle itself stays the one that runs.
  expect(after?.id).toBe(cycleId);
  expect(await faults()).toEqual([]);
});

test('a free plan takes packs where the catalogue offers them; other plans and days take none', async () => {
  const { token, order, running } = await withPlan('free');
  expect(await pay(token, await order('extra-200'))).toBe('success');
  expect((await running())?.packs).toHaveLength(1);
  const other = await withPlan('starter');
  expect((await other.running())?.packOffers).toEqual([]);
  expect(
    (await portal.send(buyPack, { params: { activationId: other.activationId, packId: 'extra-200' } }, other.token))
      .body,
  ).toMatchObject({ code: 'not_found' });
  const stranger = await portal.newCustomer();
  expect(
    (await portal.send(buyPack, { params: { activationId: other.activationId, packId: 'extra-200' } }, stranger)).body,
  ).toMatchObject({ code: 'not_found' });
  expect(await faults()).toEqual([]);
});

test('one unpaid pack waits at a time, and a payment for the one before is refunded', async () => {
  const { token, order, running } = await withPlan('growth');
  const first = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: first } }, token);
  const second = await order('extra-200');
  expect(await verify(token, orderId)).toBe('refunded');
  expect(await pay(token, second)).toBe('success');
  expect((await running())?.packs.map(({ id }) => id)).toEqual([second]);
  expect(await faults()).toEqual([]);
});

test('a payment of a pack that failed is told with its reason, and no longer once the pack is paid', async () => {
  const { token, order, running } = await withPlan('growth');
  const packId = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: packId } }, token);
  const declined = await portal.pay(orderId, { outcome: 'insufficient_fund' });
  const paymentId = z.object({ error: z.object({ metadata: z.object({ payment_id: z.string() }) }) }).parse(declined)
    .error.metadata.payment_id;
  expect(await settlePayment(portal.portal, paymentId)).toBe('failed');
  const failed = { id: paymentId, status: 'failed', reason: expect.stringContaining('enough funds') };
  expect((await running())?.packs).toMatchObject([{ id: packId, status: 'PAYMENT_PENDING', payments: [failed] }]);
  expect((await running())?.payments).toMatchObject([{ status: 'captured' }]);
  expect(await verify(token, orderId)).toBe('success');
  const [pack] = (await running())?.packs ?? [];
  expect(pack?.status).toBe('PAID');
  // The provider dates payments to the second.
  expect(pack?.payments.map(({ status }) => status).toSorted()).toEqual(['captured', 'failed']);
  expect(await faults()).toEqual([]);
});

test('a payment after the cycle has ended is refunded', async () => {
  const { token, activationId, cycleId, order } = await withPlan('growth');
  const { orderId } = await portal.ask(createOrder, { params: { id: await order() } }, token);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, token);
  expect(await verify(token, orderId)).toBe('refunded');
  expect(await faults()).toEqual([]);
});

test('an unused pack comes back whole with its plan where the catalogue says so, and one with a unit taken does not', async () => {
  const { token, activationId, cycleId, order, running } = await withPlan('growth', 'invoicing-system');
  for (const packId of ['extra-1000', 'extra-200']) await pay(token, await order(packId));
  const sold = (await running())?.monthlyQuota ?? 0;
  // One unit of the first pack.
  await useUnitsOfCycle(portal.portal.db, cycleId, sold - 1200 + 1);
  const ending = { params: { activationId, billingCycleId: cycleId } };
  const preview = await portal.ask(previewEndCycle, ending, token);
  const ended = await portal.ask(endCycle, ending, token);
  expect(ended.refundAmount).toBe(preview.refundAmount);
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  const ofPacks = billingCycles.filter(({ id }) => id !== cycleId);
  expect(ofPacks.map(({ amount, status, refund }) => [amount, status, refund?.amount])).toEqual(
    expect.arrayContaining([
      [99, 'DEACTIVATED', undefined],
      [25.5, 'REFUNDED', 25.5],
    ]),
  );
  expect(await faults()).toEqual([]);
});

test('a running plan gives back no more than its units that are left, whatever days are', async () => {
  const { token, activationId, cycleId, running } = await withPlan('growth', 'invoicing-system');
  const { monthlyQuota = 0 } = (await running()) ?? {};
  await useUnitsOfCycle(portal.portal.db, cycleId, monthlyQuota / 2);
  const ending = { params: { activationId, billingCycleId: cycleId } };
  expect(await portal.ask(previewEndCycle, ending, token)).toMatchObject({ unusedDays: 29, refundAmount: 749.5 });
  expect(await portal.ask(endCycle, ending, token)).toMatchObject({ refundAmount: 749.5 });
  expect(await faults()).toEqual([]);
});

test('a pack that is used up after the free quota of an earlier activation is not refunded', async () => {
  const { db } = portal.portal;
  const { token, activationId, cycleId, running } = await withPlan('free', 'invoicing-system');
  const daily = (await running())?.dailyQuota ?? 0;
  await useUnits(db, cycleId, today(), daily);
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  const again = await portal.ask(activatePlan, { params: { id: 'invoicing-system', planId: 'free' } }, token);
  const params = { activationId: again.activationId, billingCycleId: again.billingCycleId ?? '' };
  const pack = await portal.ask(buyPack, { params: { ...params, packId: 'extra-200' } }, token);
  await pay(token, pack.billingCycleId);
  const preview = () => portal.ask(previewEndCycle, { params }, token);
  await shareFreeQuota(daily);
  expect(await preview()).toMatchObject({ refundAmount: 25.5 });
  await useUnits(db, params.billingCycleId, today(), 200);
  await shareFreeQuota(daily + 200);
  expect(await preview()).toMatchObject({ refundAmount: 0 });
  await portal.ask(endCycle, { params }, token);
  expect(await faults()).toEqual([]);

  /** The free quota of customer and product, as gateways keep it. */
  async function shareFreeQuota(taken: number): Promise<void> {
    await sql`insert into free_quota_days select customer_id, service_id, ${today()}, daily_quota + 200, ${taken} from cycles where id = ${cycleId}
      on conflict (customer_id, service_id, day) do update set taken = excluded.taken`.execute(db);
    await sql`insert into free_quota_windows select customer_id, service_id, from_date, from_date + 30, monthly_quota + 200, ${taken} from cycles
      where id = ${cycleId} on conflict (customer_id, service_id, from_date) do update set taken = excluded.taken`.execute(
      db,
    );
  }
});

test('a pack that is bought after a switch on a busy day is untouched until its own plan takes a unit of it', async () => {
  const { db } = portal.portal;
  const { token, activationId, cycleId, order } = await withPlan('growth', 'invoicing-system');
  await pay(token, await order());
  const { daily_quota: daily } = await db
    .selectFrom('cycles')
    .select('daily_quota')
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  await useUnits(db, cycleId, today(), daily + 700);
  const made = await portal.ask(switchPlan, { params: { activationId, planId: 'growth' } }, token);
  await pay(token, made.billingCycleId ?? '');
  await pay(token, await order());
  const params = { activationId, billingCycleId: made.billingCycleId ?? '' };
  const { refundAmount } = await portal.ask(previewEndCycle, { params }, token);
  expect(refundAmount).toBeCloseTo((1499 * 29) / 30 + 99, 2);
  expect((await portal.ask(endCycle, { params }, token)).refundAmount).toBe(refundAmount);
  expect(await faults()).toEqual([]);
});

test('where the catalogue refunds nothing, packs end with the plan that a switch replaces', async () => {
  const { token, activationId, cycleId, order } = await withPlan('growth');
  const packId = await order();
  await pay(token, packId);
  const made = await portal.ask(switchPlan, { params: { activationId, planId: 'growth' } }, token);
  expect(await pay(token, made.billingCycleId ?? '')).toBe('success');
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  const statusOf = (id: string) => billingCycles.find((each) => each.id === id)?.status;
  expect([statusOf(cycleId), statusOf(packId)]).toEqual(['DEACTIVATED', 'DEACTIVATED']);
  expect(await faults()).toEqual([]);
});

test('a paid pack cannot be ended alone, and an unpaid one can be removed', async () => {
  const { token, activationId, order } = await withPlan('growth');
  const paid = await order();
  await pay(token, paid);
  const end = (billingCycleId: string) => ({ params: { activationId, billingCycleId } });
  expect((await portal.send(endCycle, end(paid), token)).body).toMatchObject({ code: 'cannot_deactivate' });
  expect((await portal.ask(endCycle, end(await order()), token)).kind).toBe('remove');
  await runRounds(portal.portal);
  expect(await faults()).toEqual([]);
});

test('a pack that nobody paid ends with its plan: removed, its order closed, and a payment that still comes refunded', async () => {
  const { token, activationId, cycleId, order, running } = await withPlan('growth');
  const packId = await order();
  const { orderId } = await portal.ask(createOrder, { params: { id: packId } }, token);
  const statusOf = async (id: string) =>
    (await portal.portal.db.selectFrom('cycles').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status;
  await runRounds(portal.portal);
  expect(await statusOf(packId)).toBe('PAYMENT_PENDING');
  const days = daysBetween(today(), (await running())?.toDate ?? '');
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
  expect(await verify(token, orderId)).toBe('refunded');
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(billingCycles.filter(({ id, status }) => id === packId && status !== 'REMOVED')).toEqual([]);
  expect(await faults()).toEqual([]);
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
  const { token, activationId, order, running } = await withPlan('growth');
  const packId = await order();
  portal.moveClock(daysBetween(today(), (await running())?.toDate ?? '') * 86_400_000);
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  const pack = portal.portal.db.selectFrom('cycles').select('status').where('id', '=', packId);
  expect(await pack.executeTakeFirst()).toEqual({ status: 'REMOVED' });
  expect(await faults()).toEqual([]);
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
    /the days of cycle|does not run/,
  ],
  ['more units than were sold', 'monthly_quota = monthly_quota + 1, daily_quota = daily_quota + 1', /never changes/],
])('the database refuses %s', async (_what, set, expected) => {
  const { token, order } = await withPlan('growth');
  const packId = await order();
  await pay(token, packId);
  await expect(sql`update cycles set ${sql.raw(set)} where id = ${packId}`.execute(portal.portal.db)).rejects.toThrow(
    expected,
  );
});
