import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle, endCycle, previewSwitch, switchPlan } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import { useUnitsOfCycle } from '#server/features/usage/test-units.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  // The Tax Lookup API loses unused days, the Invoicing System refunds them.
  const catalogDir = changedCatalog({ 'invoicing-system': { onDeactivate: 'refund-unused' } });
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

/** A customer whose plan runs. */
async function withPlan(planId: string, service = 'tax-lookup-api') {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activatePlan,
    { params: { id: service, planId } },
    token,
  );
  if (planId !== 'free') await pay(token, billingCycleId);
  return { token, activationId, cycleId: billingCycleId };
}

const to = (activationId: string, planId: string) => ({ params: { activationId, planId } });

async function cyclesOf(token: string) {
  const [activation] = (await portal.ask(listActivations, {}, token)).activations;
  return (activation?.billingCycles ?? []).map((cycle) => `${cycle.planId} ${cycle.status} ${cycle.fromDate}`);
}

test('a switch leaves the running plan until it is paid; then one ends and the other starts, together', async () => {
  const { token, activationId, cycleId } = await withPlan('free');
  expect(await portal.ask(previewSwitch, to(activationId, 'growth'), token)).toMatchObject({
    replaces: { billingCycleId: cycleId, planName: 'Free' },
    unusedDays: 29,
    refundAmount: 0,
    fromDate: today(),
    toDate: addDays(today(), 30),
    total: 1499,
  });
  const made = await portal.ask(switchPlan, to(activationId, 'growth'), token);
  expect(made.status).toBe('pending');
  expect(await cyclesOf(token)).toEqual([`free NO_PAYMENT_REQUIRED ${today()}`, `growth PAYMENT_PENDING ${today()}`]);
  expect(await pay(token, made.billingCycleId ?? '')).toBe('success');
  expect(await cyclesOf(token)).toEqual([`growth PAID ${today()}`, `free DEACTIVATED ${today()}`]);
});

test('a replaced plan refunds its unused days where the catalogue says so, and nothing elsewhere', async () => {
  const refunding = await withPlan('starter', 'invoicing-system');
  const preview = await portal.ask(previewSwitch, to(refunding.activationId, 'growth'), refunding.token);
  expect(preview.refundAmount).toBeGreaterThan(0);
  expect(preview.refundAmount).toBe(preview.unusedAmount);
  const made = await portal.ask(switchPlan, to(refunding.activationId, 'growth'), refunding.token);
  await pay(refunding.token, made.billingCycleId ?? '');
  const history = await portal.ask(listHistory, { params: { id: refunding.activationId } }, refunding.token);
  const old = history.find(({ id }) => id === refunding.cycleId);
  expect(old).toMatchObject({ status: 'DEACTIVATED', refund: { amount: preview.refundAmount } });
  expect(old?.documents.map(({ kind }) => kind)).toEqual(['INVOICE', 'CREDIT_NOTE']);
  const refunds = portal.portal.db
    .selectFrom('refunds')
    .select('of_replaced')
    .where('cycle_id', '=', refunding.cycleId);
  expect(await refunds.execute()).toEqual([{ of_replaced: true }]);

  const losing = await withPlan('starter');
  const lost = await portal.ask(previewSwitch, to(losing.activationId, 'growth'), losing.token);
  expect(lost).toMatchObject({ unusedDays: 29, refundAmount: 0 });
  await pay(
    losing.token,
    (await portal.ask(switchPlan, to(losing.activationId, 'growth'), losing.token)).billingCycleId ?? '',
  );
  const entries = await portal.ask(listHistory, { params: { id: losing.activationId } }, losing.token);
  expect(entries.find(({ id }) => id === losing.cycleId)?.refund).toBeNull();
});

test('the database refunds nothing of a replaced plan before the one that replaces it has started', async () => {
  const { db } = portal.portal;
  const { token, cycleId, activationId } = await withPlan('starter', 'invoicing-system');
  await portal.ask(switchPlan, to(activationId, 'growth'), token);
  const payment = await db
    .selectFrom('cycle_payments')
    .select(['provider_payment_id as paymentId', 'currency', 'customer_id as customerId'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const give = (ofReplaced: boolean) =>
    transaction(db, async (tx) => {
      const ended_at = new Date(portal.portal.clock());
      await tx.updateTable('cycles').set({ status: 'DEACTIVATED', ended_at }).where('id', '=', cycleId).execute();
      const refund = { ...payment, cycleId, amountPaise: 100, reason: 'Unused', origin: 'PORTAL', ofReplaced } as const;
      await startRefund(portal.portal, payment, tx, { ...refund, from: 'CYCLE' });
      await sql`set constraints all immediate`.execute(tx);
      throw new Undone();
    });
  await expect(give(true)).rejects.toThrow('of the replaced cycle');
  await expect(give(false)).rejects.toThrow(Undone);
});

/** The rules of the database were asked, and the transaction is not kept. */
class Undone extends Error {}

test('the same plan can be renewed before it ends, and a free one that runs cannot', async () => {
  const paid = await withPlan('starter');
  const made = await portal.ask(switchPlan, to(paid.activationId, 'starter'), paid.token);
  await pay(paid.token, made.billingCycleId ?? '');
  expect(await cyclesOf(paid.token)).toEqual([`starter PAID ${today()}`, `starter DEACTIVATED ${today()}`]);
  const free = await withPlan('free');
  expect((await portal.send(switchPlan, to(free.activationId, 'free'), free.token)).body).toMatchObject({
    code: 'plan_runs_already',
  });
});

test('a switch to a free plan takes effect at once, and its quota does not come back', async () => {
  const { token, activationId, cycleId } = await withPlan('free');
  // All of the free quota of these thirty days is used.
  await useUnitsOfCycle(portal.portal.db, cycleId, 1000);
  await sql`insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select s.kind, s.scope_id, c.customer_id, c.service_id, u.day, u.day + 1, c.daily_quota, u.units
    from usage_counts u join cycles c on c.id = u.cycle_id join quota_scopes(c) s on s.kind = 'free-day' where c.id = ${cycleId}
    union all
    select s.kind, s.scope_id, c.customer_id, c.service_id, c.from_date, c.from_date + 30, 1000, 1000
    from cycles c join quota_scopes(c) s on s.kind = 'free-window' where c.id = ${cycleId}`.execute(portal.portal.db);
  await pay(token, (await portal.ask(switchPlan, to(activationId, 'starter'), token)).billingCycleId ?? '');
  expect((await portal.ask(switchPlan, to(activationId, 'free'), token)).status).toBe('success');
  expect((await cyclesOf(token))[0]).toBe(`free NO_PAYMENT_REQUIRED ${today()}`);
  const windows = await sql<{ taken: number }>`select w.taken from quota_counters w join cycles c
    on c.customer_id = w.customer_id and c.service_id = w.service_id where w.kind = 'free-window' and c.id = ${cycleId}`.execute(
    portal.portal.db,
  );
  expect(windows.rows).toEqual([{ taken: 1000 }]);
});

test('a prepaid plan in the way refuses a switch, and refunds the payment of one that was ordered before', async () => {
  const { token, activationId } = await withPlan('starter');
  const made = await portal.ask(switchPlan, to(activationId, 'growth'), token);
  const { orderId } = await portal.ask(createOrder, { params: { id: made.billingCycleId ?? '' } }, token);
  const next = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'starter' }, body: { startDate: addDays(today(), 20 + 10) } },
    token,
  );
  await pay(token, next.billingCycleId ?? '');
  // Ninety days from today would run into it, thirty would not.
  expect((await portal.send(previewSwitch, to(activationId, 'growth-90'), token)).body).toMatchObject({
    code: 'prepaid_in_the_way',
  });
  portal.moveClock(5 * 86_400_000);
  expect(await verify(token, orderId)).toBe('refunded');
  expect((await cyclesOf(token)).filter((each) => each.includes('PAID'))).toHaveLength(2);
  portal.moveClock(-5 * 86_400_000);
});

test('a second switch takes the place of the first, and both can never be paid', async () => {
  const { token, activationId } = await withPlan('free');
  const first = await portal.ask(switchPlan, to(activationId, 'starter'), token);
  const { orderId } = await portal.ask(createOrder, { params: { id: first.billingCycleId ?? '' } }, token);
  const second = await portal.ask(switchPlan, to(activationId, 'growth'), token);
  expect(await pay(token, second.billingCycleId ?? '')).toBe('success');
  expect(await verify(token, orderId)).toBe('refunded');
  expect((await cyclesOf(token)).filter((each) => / PAID /.test(each))).toEqual([`growth PAID ${today()}`]);
});

test('without a running plan there is nothing to switch from', async () => {
  const { token, activationId, cycleId } = await withPlan('starter');
  await portal.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, token);
  expect((await portal.send(switchPlan, to(activationId, 'growth'), token)).body).toMatchObject({
    code: 'no_plan_running',
  });
});

test('the database holds the rules of a switch', async () => {
  const { token, activationId, cycleId } = await withPlan('starter');
  const { db } = portal.portal;
  const made = await portal.ask(switchPlan, to(activationId, 'growth'), token);
  const again = sql`insert into cycles select 'CYC-COPY' as id, activation_id, customer_id, service_id, status, from_date,
    to_date, plan, tenure, price_paise, daily_quota, monthly_quota, rps, created_at, paid_at, ended_at, replaces
    from cycles where id = ${made.billingCycleId ?? ''}`;
  await expect(again.execute(db)).rejects.toThrow(/cycles_replaced_once/);
  const other = sql`update cycles set replaces = null where id = ${made.billingCycleId ?? ''}`;
  await expect(other.execute(db)).rejects.toThrow(/never/);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: made.billingCycleId ?? '' } }, token);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, token);
  await expect(again.execute(db)).rejects.toThrow(/does not run on/);
});

test('a switch that is paid after the clock went back starts on the day of its order, not before', async () => {
  portal.moveClock(7 * 86_400_000);
  const { token, activationId } = await withPlan('free');
  portal.moveClock(86_400_000);
  const made = await portal.ask(switchPlan, to(activationId, 'starter'), token);
  const ordered = today();
  portal.moveClock(-86_400_000);
  expect(await pay(token, made.billingCycleId ?? '')).toBe('success');
  expect(await cyclesOf(token)).toContain(`starter PAID ${ordered}`);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
  portal.moveClock(-7 * 86_400_000);
});
