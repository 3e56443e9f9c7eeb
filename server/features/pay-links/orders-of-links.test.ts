import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import * as calls from '#shared/contract/pay-links.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
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

test('declined cards of whoever holds a link are one mail a day for each bill to the customer', async () => {
  const { link, customerId, token, activationId, make } = await unpaid();
  const next = { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } };
  const { billingCycleId: second = '' } = await portal.ask(addCycle, next, token);
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
  const decline = async (times: number, of = link) => {
    const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link: of } });
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
  await decline(3);
  expect(await mails()).toBe(1);
  await decline(1, await make([second]));
  expect(await mails()).toBe(2);
  portal.moveClock(86_400_000 + 1);
  await decline(2);
  expect(await mails()).toBe(3);
});
