import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { buyPack, endCycle, previewEndCycle, switchPlan } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays } from '#shared/domain/day.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import { useUnits, useUnitsOfCycle } from '#server/features/usage/test-units.ts';
import { type PackPortal, startPackPortal } from './test-packs.ts';

let portal: PackPortal;
beforeAll(async () => {
  portal = await startPackPortal();
});
afterAll(() => portal.close());

test('an unused pack comes back whole with its plan where the catalogue says so, and one with a unit taken does not', async () => {
  const { token, activationId, cycleId, order, running } = await portal.withPlan('growth', 'invoicing-system');
  for (const packId of ['extra-1000', 'extra-200']) await portal.payFor(token, await order(packId));
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
  expect(await portal.faults()).toEqual([]);
});

test('a running plan gives back no more than its units that are left, whatever days are', async () => {
  const { token, activationId, cycleId, running } = await portal.withPlan('growth', 'invoicing-system');
  const { monthlyQuota = 0 } = (await running()) ?? {};
  await useUnitsOfCycle(portal.portal.db, cycleId, monthlyQuota / 2);
  const ending = { params: { activationId, billingCycleId: cycleId } };
  expect(await portal.ask(previewEndCycle, ending, token)).toMatchObject({ unusedDays: 29, refundAmount: 749.5 });
  expect(await portal.ask(endCycle, ending, token)).toMatchObject({ refundAmount: 749.5 });
  expect(await portal.faults()).toEqual([]);
});

test('the database gives back no more of a plan than its units that are left, and no pack of which a unit was taken', async () => {
  const { db } = portal.portal;
  const { token, cycleId, order, running } = await portal.withPlan('growth', 'invoicing-system');
  const bought = async (packId: string) => {
    const id = await order(packId);
    await portal.payFor(token, id);
    return id;
  };
  const [used, untouched] = [await bought('extra-200'), await bought('extra-1000')];
  const sold = ((await running())?.monthlyQuota ?? 0) - 1200;
  const give = (id: string, amountPaise: number, status: 'DEACTIVATED' | 'REFUNDED') =>
    transaction(db, async (tx) => {
      const ended_at = new Date(portal.portal.clock());
      const ending = tx.updateTable('cycles').set({ status: 'DEACTIVATED', ended_at });
      await ending.where('id', 'in', [cycleId, used, untouched]).where('id', '<>', id).execute();
      await tx.updateTable('cycles').set({ status, ended_at }).where('id', '=', id).execute();
      const { provider_payment_id: paymentId, ...payment } = await tx
        .selectFrom('cycle_payments')
        .select(['provider_payment_id', 'currency', 'customer_id as customerId'])
        .where('cycle_id', '=', id)
        .executeTakeFirstOrThrow();
      const refund = {
        paymentId,
        cycleId: id,
        amountPaise,
        reason: 'Unused',
        origin: 'PORTAL',
        ofReplaced: false,
        from: 'CYCLE',
        ...payment,
      } as const;
      await startRefund(portal.portal, payment, tx, refund);
      await sql`set constraints all immediate`.execute(tx);
      throw new Undone();
    });
  // The day on which it ends is used: 29 of its 30 days are left.
  await expect(give(cycleId, 144_905, 'DEACTIVATED')).rejects.toThrow('more than is unused');
  await expect(give(cycleId, 144_904, 'DEACTIVATED')).rejects.toThrow(Undone);
  await useUnitsOfCycle(db, cycleId, sold / 2);
  await expect(give(cycleId, 74_951, 'DEACTIVATED')).rejects.toThrow('more than is unused');
  await expect(give(cycleId, 74_950, 'DEACTIVATED')).rejects.toThrow(Undone);
  await useUnitsOfCycle(db, cycleId, sold + 1);
  await expect(give(used, 2550, 'REFUNDED')).rejects.toThrow('more than is unused');
  await expect(give(untouched, 9900, 'REFUNDED')).rejects.toThrow(Undone);
  expect(await portal.faults()).toEqual([]);
});

/** The rules of the database were asked, and the transaction is not kept. */
class Undone extends Error {}

test('a pack that is used up after the free quota of an earlier activation is not refunded', async () => {
  const { db } = portal.portal;
  const { token, activationId, cycleId, running } = await portal.withPlan('free', 'invoicing-system');
  const daily = (await running())?.dailyQuota ?? 0;
  await useUnits(db, cycleId, portal.today(), daily);
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  const again = await portal.ask(activatePlan, { params: { id: 'invoicing-system', planId: 'free' } }, token);
  const params = { activationId: again.activationId, billingCycleId: again.billingCycleId ?? '' };
  const pack = await portal.ask(buyPack, { params: { ...params, packId: 'extra-200' } }, token);
  await portal.payFor(token, pack.billingCycleId);
  const preview = () => portal.ask(previewEndCycle, { params }, token);
  await shareFreeQuota(daily);
  expect(await preview()).toMatchObject({ refundAmount: 25.5 });
  await useUnits(db, params.billingCycleId, portal.today(), 200);
  await shareFreeQuota(daily + 200);
  expect(await preview()).toMatchObject({ refundAmount: 0 });
  await portal.ask(endCycle, { params }, token);
  expect(await portal.faults()).toEqual([]);

  /** The free quota of customer and product, as gateways keep it. */
  async function shareFreeQuota(taken: number): Promise<void> {
    await sql`insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
      select s.kind, s.scope_id, c.customer_id, c.service_id, c.from_date, c.from_date + case s.kind when 'free-day' then 1 else 30 end,
        c.monthly_quota + 200, ${taken}
      from cycles c cross join quota_scopes(c) s where c.id = ${cycleId} and s.kind >= 'free-day'
      on conflict (kind, scope_id, to_date) do update set taken = excluded.taken`.execute(db);
  }
});

test('a pack that is used up after the free quota of a month, day by day, is not refunded', async () => {
  const { db } = portal.portal;
  const { token, activationId, cycleId, running } = await portal.withPlan('free', 'invoicing-system');
  const { dailyQuota: daily = 0, monthlyQuota: monthly = 0 } = (await running()) ?? {};
  const since = portal.today();
  const days = monthly / daily;
  for (let day = 0; day < days; day += 1) await useUnits(db, cycleId, addDays(since, day), daily);
  portal.moveClock(days * 86_400_000);
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  const again = await portal.ask(activatePlan, { params: { id: 'invoicing-system', planId: 'free' } }, token);
  const params = { activationId: again.activationId, billingCycleId: again.billingCycleId ?? '' };
  const pack = await portal.ask(buyPack, { params: { ...params, packId: 'extra-200' } }, token);
  await portal.payFor(token, pack.billingCycleId);
  await sql`insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select s.kind, s.scope_id, c.customer_id, c.service_id, ${since}, ${since}::date + 30, c.monthly_quota + 200, ${monthly + 200}
    from cycles c join quota_scopes(c) s on s.kind = 'free-window' where c.id = ${cycleId}
    on conflict (kind, scope_id, to_date) do update set taken = excluded.taken, quota = excluded.quota`.execute(db);
  const preview = () => portal.ask(previewEndCycle, { params }, token);
  expect(await preview()).toMatchObject({ refundAmount: 25.5 });
  for (let day = 0; day < 200 / daily; day += 1)
    await useUnits(db, params.billingCycleId, addDays(portal.today(), day), daily);
  expect(await preview()).toMatchObject({ refundAmount: 0 });
});

test('a pack that is bought after a switch on a busy day is untouched until its own plan takes a unit of it', async () => {
  const { db } = portal.portal;
  const { token, activationId, cycleId, order } = await portal.withPlan('growth', 'invoicing-system');
  await portal.payFor(token, await order());
  const { daily_quota: daily } = await db
    .selectFrom('cycles')
    .select('daily_quota')
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  await useUnits(db, cycleId, portal.today(), daily + 700);
  const made = await portal.ask(switchPlan, { params: { activationId, planId: 'growth' } }, token);
  await portal.payFor(token, made.billingCycleId ?? '');
  await portal.payFor(token, await order());
  const params = { activationId, billingCycleId: made.billingCycleId ?? '' };
  const { refundAmount } = await portal.ask(previewEndCycle, { params }, token);
  expect(refundAmount).toBeCloseTo((1499 * 29) / 30 + 99, 2);
  expect((await portal.ask(endCycle, { params }, token)).refundAmount).toBe(refundAmount);
  expect(await portal.faults()).toEqual([]);
});

test('where the catalogue refunds nothing, packs end with the plan that a switch replaces', async () => {
  const { token, activationId, cycleId, order } = await portal.withPlan('growth');
  const packId = await order();
  await portal.payFor(token, packId);
  const made = await portal.ask(switchPlan, { params: { activationId, planId: 'growth' } }, token);
  expect(await portal.payFor(token, made.billingCycleId ?? '')).toBe('success');
  const billingCycles = await portal.ask(listHistory, { params: { id: activationId } }, token);
  const statusOf = (id: string) => billingCycles.find((each) => each.id === id)?.status;
  expect([statusOf(cycleId), statusOf(packId)]).toEqual(['DEACTIVATED', 'DEACTIVATED']);
  expect(await portal.faults()).toEqual([]);
});
