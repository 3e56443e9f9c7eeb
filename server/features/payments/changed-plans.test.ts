import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { type Changes, changedCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle, buyPack, endCycle, switchPlan } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { refusals } from '#shared/contract/refusals.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { maxPeriods, maxUnpaid } from '#shared/domain/payment.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

const product = 'invoicing-system';
const packs = '[{ id: extra, name: Extra, units: 500, price: 99 }]';

let portal: TestPortal;
let token: string;
let activationId: string;
const today = () => dayOf(portal.portal.clock());

/** Puts a catalogue with these changes into effect; packs are always sold. */
function sell(changes: Changes[string] = {}): void {
  const fields = { 'plans.growth.packs': packs, ...changes };
  Object.assign(portal.portal, { catalog: readCatalog(changedCatalog({ [product]: fields })) });
}

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

beforeEach(async () => {
  sell();
  token = await portal.newCustomer(sampleProfile);
  const activated = await portal.ask(activateProduct, { params: { id: product } }, token);
  ({ activationId } = activated);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: activated.billingCycleId ?? '' } }, token);
});

async function add(inDays: number, planId = 'growth', periods = 1): Promise<string> {
  const body = { startDate: addDays(today(), inDays), periods };
  return (await portal.ask(addCycle, { params: { activationId, planId }, body }, token)).billingCycleId ?? '';
}

const order = (id: string) => portal.send(createOrder, { params: { id } }, token);
const cycles = async () =>
  (await portal.ask(listActivations, {}, token)).activations.find(({ id }) => id === activationId)?.billingCycles ?? [];

test('months later an unpaid subscription can’t be paid at a price that is no longer on sale; removed and added again it has the new one', async () => {
  const ids = [await add(0), await add(30), await add(60)];
  sell({ 'plans.growth.price': '2999' });
  portal.moveClock(200 * 86_400_000);
  for (const id of ids) expect((await order(id)).body).toMatchObject({ status: 409, code: 'plan_changed' });
  const together = { params: { activationId }, body: { billingCycleIds: ids } };
  expect((await portal.send(createOrderOfPeriods, together, token)).body).toMatchObject({ code: 'plan_changed' });
  const unpaid = (await cycles()).filter(({ id }) => ids.includes(id));
  expect(unpaid.map(({ price, changed }) => [price, changed])).toEqual(ids.map(() => [1499, { price: 2999 }]));
  const history = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(history.filter(({ changed }) => changed?.price === 2999).map(({ id }) => id)).toEqual(
    expect.arrayContaining(ids),
  );
  for (const billingCycleId of ids) await portal.ask(endCycle, { params: { activationId, billingCycleId } }, token);
  const again = await add(0);
  expect((await cycles()).find(({ id }) => id === again)?.changed).toBeNull();
  expect((await order(again)).body).toMatchObject({ amount: 2999 });
});

test.each<[string, Changes[string]]>([
  ['its daily quota', { 'plans.growth.dailyQuota': '1001' }],
  ['its monthly quota', { 'plans.growth.monthlyQuota': '20001' }],
  ['its calls per second', { 'plans.growth.rps': '3' }],
  ['its days', { 'plans.growth.maxDays': '29' }],
  ['whether its price includes GST', { tax: 'exclusive' }],
  ['what ending it gives back', { onDeactivate: 'refund-unused' }],
])('an unpaid subscription can’t be paid once the plan on sale has changed %s', async (_what, changes) => {
  const id = await add(0);
  sell(changes);
  expect((await order(id)).body).toMatchObject({ status: 409, code: 'plan_changed' });
  expect((await cycles()).find((cycle) => cycle.id === id)?.changed).not.toBeNull();
});

test('other words about a plan, and another rate of GST, leave an unpaid subscription as it is', async () => {
  const id = await add(0);
  sell({ 'plans.growth.name': 'Grow', 'plans.growth.description': 'New words.', gstRatePercent: '12' });
  expect((await cycles()).find((cycle) => cycle.id === id)?.changed).toBeNull();
  expect((await order(id)).body).toMatchObject({ amount: 1499 });
});

test('an unpaid subscription can’t be paid once its plan is withdrawn or private to others, and can while it is the customer’s', async () => {
  const id = await add(0);
  sell({ 'plans.growth.customers': '[somebody@example.com]' });
  expect((await order(id)).body).toMatchObject({ status: 409, code: 'plan_withdrawn' });
  expect((await cycles()).find((cycle) => cycle.id === id)?.changed).toEqual({ price: null });
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('cycles')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { email } = await portal.portal.db
    .selectFrom('customers')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  sell({ 'plans.growth.customers': `[${email}]` });
  expect((await order(id)).status).toBe(200);
  Object.assign(portal.portal, { catalog: { ...portal.portal.catalog, find: () => undefined } });
  expect((await order(id)).body).toMatchObject({ code: 'plan_withdrawn' });
});

test('an order that was made before the change keeps its price: its payment pays for the subscription', async () => {
  const id = await add(0);
  const made = await portal.ask(createOrder, { params: { id } }, token);
  sell({ 'plans.growth.price': '2999' });
  expect((await order(id)).body).toMatchObject({ code: 'plan_changed' });
  await portal.ask(verifyPayment, { body: await portal.checkOut(made.orderId) }, token);
  expect((await cycles()).find((cycle) => cycle.id === id)).toMatchObject({
    status: 'PAID',
    price: 1499,
    changed: null,
  });
});

test('a pack and a switch that wait for their payment follow the same rule', async () => {
  await portal.buy(token, await add(0));
  const pack = await portal.ask(buyPack, { params: { activationId, packId: 'extra' } }, token);
  const switched = await portal.ask(switchPlan, { params: { activationId, planId: 'starter' } }, token);
  // The pack of a later day has fewer days left, and is the same offer.
  portal.moveClock(2 * 86_400_000);
  for (const id of [pack.billingCycleId, switched.billingCycleId ?? '']) expect((await order(id)).status).toBe(200);
  sell({ 'plans.growth.packs': packs.replace('99', '149'), 'plans.starter.price': '599' });
  for (const id of [pack.billingCycleId, switched.billingCycleId ?? ''])
    expect((await order(id)).body).toMatchObject({ code: 'plan_changed' });
  const [running] = await cycles();
  expect(running?.packs).toMatchObject([{ changed: { price: 149 } }]);
  sell({ 'plans.growth.packs': '[]' });
  expect((await order(pack.billingCycleId)).body).toMatchObject({ code: 'plan_withdrawn' });
});

test('at most 24 subscriptions of an activation wait for their payment', async () => {
  expect([maxUnpaid, refusals.too_many_unpaid.message]).toEqual([24, expect.stringMatching(/^At most 24 /)]);
  await add(0, 'growth', maxPeriods);
  await add(365, 'growth', maxPeriods - 1);
  const last = await add(720);
  const params = { activationId, planId: 'growth' };
  const body = { startDate: addDays(today(), 750) };
  expect((await portal.send(addCycle, { params, body }, token)).body).toMatchObject({
    status: 409,
    code: 'too_many_unpaid',
  });
  // A free plan needs no payment.
  await add(800, 'free');
  await portal.ask(endCycle, { params: { activationId, billingCycleId: last } }, token);
  await add(750);
  expect((await cycles()).filter(({ status }) => status === 'PAYMENT_PENDING')).toHaveLength(maxUnpaid);
});
