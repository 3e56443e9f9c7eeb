import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import * as calls from '#shared/contract/pay-links.ts';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { bounds } from '#shared/domain/payment.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const today = () => dayOf(portal.portal.clock());
const read = (link: string) => portal.ask(calls.readPayLink, { body: { link } });

/** A customer with an unpaid plan, and its pay link. */
async function unpaid() {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId: cycleId = '' } = await portal.ask(activatePlan, plan, token);
  const make = async (cycleIds = [cycleId]) => {
    const body = { billingCycleIds: cycleIds, endsEarlier: false };
    return new URL((await portal.ask(calls.makePayLink, { params: { activationId }, body }, token)).url).hash.slice(1);
  };
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  return { token, activationId, cycleId, make, link: await make(), customerId };
}

test('a link’s order names the purchase order that its page shows, also when it was named with other periods', async () => {
  const { token, activationId, cycleId, make } = await unpaid();
  const next = { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } };
  const { billingCycleId: second = '' } = await portal.ask(addCycle, next, token);
  const body = { billingCycleIds: [cycleId, second], purchaseOrder: { number: 'PO-77', date: null } };
  await portal.ask(createOrderOfPeriods, { params: { activationId }, body }, token);
  const link = await make([second]);
  expect((await read(link)).bill?.purchaseOrder).toBe('PO-77');
  const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link } });
  const { purchase_order: named } = await portal.portal.db
    .selectFrom('payment_orders')
    .select('purchase_order')
    .where('provider_order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  expect(named).toBe('PO-77');
  expect((await read(link)).bill?.purchaseOrder).toBe('PO-77');
});

/** Declined cards of a customer's bills, and the mails about them. */
function declining(customerId: string) {
  const mails = async () =>
    (
      await portal.portal.db
        .selectFrom('mails')
        .select('subject')
        .where('customer_id', '=', customerId)
        .where('subject', 'like', 'Payment not completed%')
        .execute()
    ).length;
  const failed = async () =>
    (
      await portal.portal.db
        .selectFrom('event_keys')
        .select('dedupe_key')
        .where('customer_id', '=', customerId)
        .where('dedupe_key', 'like', 'failed:%')
        .execute()
    ).length;
  const declined = async (orderId: string, times = 1) => {
    const before = await failed();
    const { id } = await portal.portal.db
      .selectFrom('payment_orders')
      .select('id')
      .where('provider_order_id', '=', orderId)
      .executeTakeFirstOrThrow();
    for (let time = 0; time < times; time += 1) {
      await portal.pay(orderId, { method: 'card', outcome: 'card_declined' });
    }
    await reconcileOrder(portal.portal, id);
    expect(await failed()).toBe(before + times);
  };
  return { mails, declined };
}

test('declined cards of whoever holds a link are one mail a day for each bill to the customer', async () => {
  const { link, customerId, token, activationId, make } = await unpaid();
  const next = { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } };
  const { billingCycleId: second = '' } = await portal.ask(addCycle, next, token);
  const { mails, declined } = declining(customerId);
  const decline = async (times: number, of = link) =>
    declined((await portal.ask(calls.orderByPayLink, { body: { link: of } })).orderId, times);
  await decline(3);
  expect(await mails()).toBe(1);
  await decline(1, await make([second]));
  expect(await mails()).toBe(2);
  portal.moveClock(86_400_000 + 1);
  await decline(2);
  expect(await mails()).toBe(3);
});

test('a declined card of whoever holds a link takes no mail from the customer, whose own failure is mailed each time that they ask', async () => {
  const { link, customerId, token, cycleId } = await unpaid();
  const { mails, declined } = declining(customerId);
  const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link } });
  await declined(orderId);
  expect(await mails()).toBe(1);
  for (const told of [2, 3]) {
    portal.moveClock(60_000);
    const own = await portal.ask(createOrder, { params: { id: cycleId } }, token);
    expect(own.orderId).toBe(orderId);
    await declined(own.orderId, 2);
    expect(await mails()).toBe(told);
  }
});

test('orders of whoever holds links use up none of the customer’s', async () => {
  const { token, activationId, cycleId, make, link } = await unpaid();
  const next = { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } };
  const { billingCycleId: second = '' } = await portal.ask(addCycle, next, token);
  const links = [await make([cycleId, second]), link];
  const order = (at: number) => portal.send(calls.orderByPayLink, { body: { link: links[at % 2] ?? '' } });
  for (let at = 0; at < bounds.ordersPerHour; at += 1) expect(await order(at)).toMatchObject({ status: 200 });
  expect((await order(0)).body).toMatchObject({ code: 'too_many_requests' });
  expect(await portal.send(createOrder, { params: { id: second } }, token)).toMatchObject({ status: 200 });
});
