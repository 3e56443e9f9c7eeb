import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { databaseTime } from '#shared/database/expressions.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { bounds } from '#shared/domain/payment.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';
import { hourMs, type Money, startMoney, type TestCustomer } from '#server/money-tests/test-money.ts';
import type { Portal } from '#server/portal.ts';
import { createRazorpay, type ProviderOrder, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { createOrder } from './create-order.ts';
import { settlePayment } from './settle.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

async function activation() {
  const customer = await money.newCustomer();
  const call = { params: { id: 'tax-lookup-api', planId: 'starter' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, call, customer.token);
  return { customer, activationId, firstCycleId: billingCycleId ?? '' };
}

/** Prepays a cycle on the next free days, `count` cycles after today's. */
async function prepay(customer: TestCustomer, activationId: string, count: number): Promise<string> {
  const day = addDays(dayOf(money.portal.clock()), 30 * count);
  return (await addCycle(money.portal, customer, activationId, 'starter', day)).billingCycleId;
}

test('a hundred simultaneous requests in two processes create one order at the provider', async () => {
  const { customer, firstCycleId } = await activation();
  const portals = [money.portal, money.anotherPortal()];
  const orders = await Promise.all(
    Array.from({ length: 100 }, (_, index) => createOrder(portals[index % 2] ?? money.portal, customer, firstCycleId)),
  );
  expect(new Set(orders.map((order) => order.orderId)).size).toBe(1);
  const own = await money.portal.db
    .selectFrom('payment_orders')
    .select('id')
    .where('cycle_id', '=', firstCycleId)
    .execute();
  expect(own).toHaveLength(1);
  expect(await ordersAtProvider(own[0]?.id ?? '')).toBe(1);
});

/** The portal, where `create` creates orders at the provider. */
function portalThatCreates(
  create: (made: () => Promise<ProviderOrder>) => Promise<ProviderOrder>,
  portal: Portal = money.portal,
): Portal {
  const createOrderBy: typeof portal.razorpay.createOrder = (request) =>
    create(() => portal.razorpay.createOrder(request));
  return { ...portal, razorpay: { ...portal.razorpay, createOrder: createOrderBy } };
}

/** Until when the order of a cycle is claimed, in ms from now. */
async function claimOf(cycleId: string) {
  const found = money.portal.db.selectFrom('payment_orders').select(['claimed_until', databaseTime.as('now')]);
  const { claimed_until: until, now } = await found.where('cycle_id', '=', cycleId).executeTakeFirstOrThrow();
  if (until === null) throw new Error('nobody has claimed the order');
  return { until: until.getTime(), leftMs: until.getTime() - now.getTime() };
}

/** Requests that wait for another one give up by this clock, which would make a slow machine fail them. */
function stopClockOfWaiting(): void {
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => stopped.mockRestore());
}

test('a request whose portal lost the database, or was killed, holds the next one up for seconds only: it creates the order', async () => {
  const { customer, firstCycleId } = await activation();
  const lost = money.anotherPortal();
  const portal = portalThatCreates(async (made) => {
    const order = await made();
    await lost.db.destroy();
    return order;
  }, lost);
  await expect(createOrder(portal, customer, firstCycleId)).rejects.toThrow('driver has already been destroyed');
  // A request that waits for longer takes over no more.
  expect((await claimOf(firstCycleId)).leftMs).toBeLessThan(6500);
  stopClockOfWaiting();
  const { orderId } = await createOrder(money.portal, customer, firstCycleId);
  expect(await createOrder(money.portal, customer, firstCycleId)).toMatchObject({ orderId });
  expect(await ordersAtProvider(await orderOf(firstCycleId))).toBe(1);
});

test('however long the provider takes, no other request creates the order meanwhile', async () => {
  const { customer, firstCycleId } = await activation();
  const ends = new Set<number>();
  const portal = portalThatCreates(async (made) => {
    // By then the claim has been renewed twice.
    await expect.poll(async () => ends.add((await claimOf(firstCycleId)).until).size).toBe(3);
    return made();
  });
  stopClockOfWaiting();
  const both = [createOrder(portal, customer, firstCycleId), createOrder(portal, customer, firstCycleId)];
  const [first, second] = await Promise.all(both);
  expect(first).toEqual(second);
  expect(await ordersAtProvider(await orderOf(firstCycleId))).toBe(1);
});

/** A request that has asked the provider, and goes on when `go` emits `on` or an `error`. */
async function asking(customer: TestCustomer, cycleId: string) {
  const [asked, go] = [new EventEmitter(), new EventEmitter()];
  const portal = portalThatCreates(async (made) => {
    const goesOn = once(go, 'on');
    asked.emit('asked');
    await goesOn;
    return made();
  });
  const isAsked = once(asked, 'asked');
  const result = createOrder(portal, customer, cycleId);
  await isAsked;
  return { result, go };
}

test('a request that stood still for longer than its claim leaves the claim of the next one alone', async () => {
  const { customer, firstCycleId } = await activation();
  const { db } = money.portal;
  const first = await asking(customer, firstCycleId);
  const ended = { claimed_until: new Date(Date.now() - 60_000) };
  await db.updateTable('payment_orders').set(ended).where('cycle_id', '=', firstCycleId).execute();
  const second = await asking(customer, firstCycleId);
  first.go.emit('error', new ProviderUnavailable('no response'));
  await expect(first.result).rejects.toThrow('Failed to create payment order');
  const third = createOrder(money.portal, customer, firstCycleId);
  second.go.emit('on');
  expect(await third).toEqual(await second.result);
  expect(await ordersAtProvider(await orderOf(firstCycleId))).toBe(1);
});

async function orderOf(cycleId: string): Promise<string> {
  const found = money.portal.db.selectFrom('payment_orders').select('id').where('cycle_id', '=', cycleId);
  return (await found.executeTakeFirstOrThrow()).id;
}

async function ordersAtProvider(receipt: string): Promise<number> {
  const { razorpayApiUrl, razorpayKeyId, razorpayKeySecret } = money.portal.settings;
  const authorization = `Basic ${Buffer.from(`${razorpayKeyId}:${razorpayKeySecret}`).toString('base64')}`;
  const response = await fetch(`${razorpayApiUrl}/orders?receipt=${receipt}`, { headers: { authorization } });
  return z.object({ count: z.int() }).parse(await response.json()).count;
}

test.each(['timeout-after-create', 'fail-after-create-500'])(
  'repeated attempts create one order although the provider’s responses are lost (%s)',
  async (ordersCreate) => {
    const { customer, firstCycleId } = await activation();
    const { razorpayApiUrl: apiUrl, razorpayKeyId: keyId, razorpayKeySecret: keySecret } = money.portal.settings;
    // The time-out of production: a response that is lost isn't waited for.
    const portal = money.anotherPortal({ razorpay: createRazorpay({ apiUrl, keyId, keySecret }) });
    await money.behave({ webhooks: { enabled: false }, ordersCreate });
    await Promise.allSettled(Array.from({ length: 6 }, () => createOrder(portal, customer, firstCycleId)));
    await money.behave({ webhooks: { enabled: false } });
    await createOrder(money.portal, customer, firstCycleId);
    expect(await ordersAtProvider(await orderOf(firstCycleId))).toBe(1);
  },
);

test('an endless loop of orders is stopped at the limit, with an alarm, and can continue an hour later', async () => {
  const { customer, activationId } = await activation();
  const errors: string[] = [];
  let made = 0;
  for (let count = 1; count <= bounds.ordersPerHour + 5; count += 1) {
    const cycleId = await prepay(customer, activationId, count);
    await createOrder(money.portal, customer, cycleId).then(
      () => (made += 1),
      (error: unknown) => errors.push(error instanceof Error ? error.message : String(error)),
    );
    // Only so many may wait for their payment.
    await endCycle(money.portal, customer, activationId, cycleId);
  }
  expect(made).toBe(bounds.ordersPerHour);
  expect(new Set(errors)).toEqual(new Set(['Too many attempts. Try again in a minute.']));
  expect(money.logLines.join('')).toContain('an activation has reached its hourly limit of orders');
  money.moveClock(hourMs + 1000);
  expect(await createOrder(money.portal, customer, await prepay(customer, activationId, 40))).toHaveProperty('orderId');
});

test('payments beyond the hourly limit are refunded, with an alarm', async () => {
  const { customer, activationId } = await activation();
  const payments: string[] = [];
  for (let count = 1; count <= bounds.paymentsPerHour + 2; count += 1) {
    const { orderId } = await createOrder(money.portal, customer, await prepay(customer, activationId, count));
    payments.push((await money.checkOut(orderId)).paymentId);
  }
  const settled: string[] = [];
  for (const paymentId of payments) settled.push(await settlePayment(money.portal, paymentId));
  expect(settled.filter((each) => each === 'paid')).toHaveLength(bounds.paymentsPerHour);
  expect(settled.filter((each) => each === 'refunded')).toHaveLength(2);
  const errors = money.logLines.filter((line) => line.includes('"level":"error"'));
  expect(errors).toContainEqual(expect.stringContaining('within one hour'));
  const cycleId = await prepay(customer, activationId, 50);
  await expect(createOrder(money.portal, customer, cycleId)).rejects.toThrow('Too many attempts');
  await money.work();
  expect(await money.faults()).toEqual([]);
});
