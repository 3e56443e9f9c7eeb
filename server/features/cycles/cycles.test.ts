import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deleteActivation,
  listActivatedServices,
  listActivations,
  previewDeleteActivation,
} from '#shared/contract/activations.ts';
import { createApiKey, listApiKeys } from '#shared/contract/api-keys.ts';
import { addCycle, endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import {
  activatePlan,
  activateProduct,
  activateService,
  listPlans,
  listProducts,
} from '#shared/contract/marketplace.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const lookup = 'tax-lookup-api';
const others = ['invoicing-system', 'fact-service', 'parcel-tracker', 'map-tiles'];
const today = () => dayOf(portal.portal.clock());

async function activation(token: string) {
  const { activations } = await portal.ask(listActivations, {}, token);
  const [first] = activations;
  if (!first) throw new Error('no activation');
  return first;
}

/** A customer whose Growth plan runs. */
async function withGrowth() {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activatePlan,
    { params: { id: lookup, planId: 'growth' } },
    token,
  );
  await portal.buy(token, billingCycleId);
  return { token, activationId, cycleId: billingCycleId };
}

const add = (token: string, activationId: string, planId: string, startDate: string) =>
  portal.send(addCycle, { params: { activationId, planId }, body: { startDate } }, token);

test('the marketplace lists both products, and their plans by category with prices that include tax', async () => {
  const token = await portal.newCustomer();
  const products = await portal.ask(listProducts, {}, token);
  expect(products.map((product) => product.id)).toEqual([lookup, ...others]);
  const plans = await portal.ask(listPlans, { params: { productId: 'tax-lookup' } }, token);
  expect(Object.keys(plans)).toEqual(['standard', 'quarterly']);
  expect(plans['standard']?.at(-1)).toMatchObject({ id: 'scale', total: 4999, taxableValue: 4236.44, gst: 762.56 });
  expect((await portal.send(listPlans, { params: { productId: 'nothing' } }, token)).status).toBe(404);
});

test('Activate Now starts the trial once; the next activation of the product starts with the free plan', async () => {
  const token = await portal.newCustomer();
  const first = await portal.ask(activateProduct, { params: { id: lookup } }, token);
  expect(first.status).toBe('success');
  const trial = await activation(token);
  expect(trial).toMatchObject({ billingStatus: 'FREE', dailyUse: { quotaUsed: 0, quotaLimit: 1000 } });
  expect(trial.billingCycles[0]).toMatchObject({
    planId: 'trial',
    status: 'NO_PAYMENT_REQUIRED',
    phase: 'running',
    price: 0,
  });
  await portal.ask(deleteActivation, { params: { activationId: first.activationId } }, token);
  await portal.ask(activateProduct, { params: { id: lookup } }, token);
  expect((await activation(token)).billingCycles[0]).toMatchObject({ planId: 'free' });
});

test('a product is activated at most once, by any of the three calls, even simultaneously', async () => {
  const token = await portal.newCustomer();
  const responses = await Promise.all([
    ...Array.from({ length: 5 }, () => portal.send(activatePlan, { params: { id: lookup, planId: 'starter' } }, token)),
    ...Array.from({ length: 5 }, () => portal.send(activateProduct, { params: { id: 'tax-lookup' } }, token)),
    ...Array.from({ length: 5 }, () =>
      portal.send(activateService, { body: { serviceId: lookup, planId: 'free' } }, token),
    ),
  ]);
  expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  expect(responses.filter((response) => response.status === 409)).toHaveLength(14);
  expect((await portal.ask(listActivatedServices, {}, token)).map((service) => service.serviceId)).toEqual([lookup]);
});

test('consecutive cycles are prepaid, and each becomes active on its start date', async () => {
  const { token, activationId } = await withGrowth();
  const next = addDays(today(), 30);
  const added = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'scale' }, body: { startDate: next } },
    token,
  );
  await portal.buy(token, added.billingCycleId ?? '');
  const phases = async () =>
    (await activation(token)).billingCycles.map((cycle) => `${cycle.planId} ${cycle.status} ${cycle.phase}`);
  expect(await phases()).toEqual(['growth PAID running', 'scale PAID upcoming']);
  portal.moveClock(30 * 86_400_000);
  expect(await phases()).toEqual(['scale PAID running', 'growth EXPIRED over']);
  portal.moveClock(-30 * 86_400_000);
});

test('refuses a start date before today, days that are already covered, and an unknown plan', async () => {
  const { token, activationId } = await withGrowth();
  expect((await add(token, activationId, 'growth', addDays(today(), -1))).body).toMatchObject({
    code: 'start_date_past',
    status: 422,
  });
  expect((await add(token, activationId, 'growth', addDays(today(), 29))).body).toMatchObject({
    code: 'days_taken',
    status: 409,
  });
  expect((await add(token, activationId, 'nothing', addDays(today(), 30))).status).toBe(404);
  expect((await add(token, activationId, 'growth', '2027-02-30')).status).toBe(400);
  expect((await add(token, activationId, 'growth', addDays(today(), 3650))).status).toBe(200);
});

test('the trial of a product can be taken once', async () => {
  const { token, activationId } = await withGrowth();
  const first = addDays(today(), 60);
  expect((await add(token, activationId, 'trial', first)).body).toMatchObject({ status: 'success' });
  expect((await add(token, activationId, 'trial', addDays(first, 60))).body).toMatchObject({ code: 'trial_used' });
});

test('ending a running plan forfeits exactly what the preview showed', async () => {
  const { token, activationId, cycleId } = await withGrowth();
  const params = { activationId, billingCycleId: cycleId };
  const money = { unusedAmount: 1449.03, refundAmount: 0, transferAmount: 0, offsetAmount: 0, withheldAmount: 0 };
  const shown = { kind: 'deactivate', unusedDays: 29, ...money, renewal: null, renewsFrom: null, debitAmount: null };
  expect(await portal.ask(previewEndCycle, { params }, token)).toEqual(shown);
  expect(await portal.ask(endCycle, { params }, token)).toEqual({ ...shown, status: 'success', effectiveBy: null });
  expect((await portal.send(endCycle, { params }, token)).body).toMatchObject({
    code: 'cannot_deactivate',
    status: 409,
  });
  expect((await activation(token)).dailyUse).toBeNull();
  expect((await add(token, activationId, 'starter', today())).status).toBe(200);
});

test('cancelling a paid cycle before it starts refunds the full price', async () => {
  const { token, activationId } = await withGrowth();
  const added = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } },
    token,
  );
  const billingCycleId = added.billingCycleId ?? '';
  await portal.buy(token, billingCycleId);
  const ended = await portal.ask(endCycle, { params: { activationId, billingCycleId } }, token);
  expect(ended).toMatchObject({ kind: 'cancel', refundAmount: 1499 });
  const history = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(history.find((entry) => entry.id === billingCycleId)).toMatchObject({
    status: 'REFUNDED',
    refund: { amount: 1499 },
  });
});

test('a cycle paid after its start date starts on the day of payment, with all its days', async () => {
  const token = await portal.newCustomer();
  const { billingCycleId = '' } = await portal.ask(activatePlan, { params: { id: lookup, planId: 'starter' } }, token);
  portal.moveClock(10 * 86_400_000);
  expect((await activation(token)).billingCycles[0]).toMatchObject({ status: 'DUE', billingStatus: 'DUE' });
  await portal.buy(token, billingCycleId);
  expect((await activation(token)).billingCycles[0]).toMatchObject({
    status: 'PAID',
    fromDate: today(),
    toDate: addDays(today(), 30),
  });
  portal.moveClock(-10 * 86_400_000);
});

test('deleting an activation ends exactly what the preview showed and keeps the history', async () => {
  const { token, activationId } = await withGrowth();
  await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'live' } }, token);
  const upcoming = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } },
    token,
  );
  await portal.buy(token, upcoming.billingCycleId ?? '');
  await add(token, activationId, 'growth', addDays(today(), 60));
  expect(await portal.ask(previewDeleteActivation, { params: { activationId } }, token)).toEqual({
    runningPlan: 'Growth',
    unusedDays: 29,
    unusedAmount: 1449.03,
    unpaidCycles: 1,
    upcomingCycles: 1,
    refundAmount: 1499,
    transferAmount: 0,
    offsetAmount: 0,
    withheldAmount: 0,
    activeKeys: 1,
    renewal: null,
    renewsFrom: null,
    debitAmount: null,
  });
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  expect((await portal.ask(listActivations, {}, token)).activations).toEqual([]);
  const history = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(history.map((entry) => entry.status).toSorted()).toEqual(['DEACTIVATED', 'REFUNDED', 'REMOVED']);
  expect((await portal.send(listApiKeys, { params: { activationId } }, token)).status).toBe(404);
});
