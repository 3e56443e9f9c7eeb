import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { dayMs, type Money, startMoney } from '#server/money-tests/test-money.ts';
import { sampleProfile } from '#server/test/portal.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const order = { purchaseOrder: 'PO/26-27/0042', purchaseOrderDate: '2026-11-03' };

async function buyerWith(profile: object) {
  const customer = await money.newCustomer();
  const save = (change: object) => money.send(updateProfile, { body: { ...sampleProfile, ...change } }, customer.token);
  expect((await save(profile)).status).toBe(200);
  const first = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, first, customer.token);
  const pay = (cycleId: string) => money.buy(customer.token, cycleId);
  const documents = async () => {
    const rows = await money.portal.db
      .selectFrom('documents')
      .select(['kind', 'content'])
      .where('customer_id', '=', customer.customerId)
      .orderBy('issued_at')
      .orderBy('id')
      .execute();
    return rows.map(({ kind, content }) => ({ kind, order: content.purchaseOrder }));
  };
  return { ...customer, activationId, billingCycleId, save, pay, documents };
}

test('documents name the purchase order of the sale, also when the profile names another one by then', async () => {
  const buyer = await buyerWith(order);
  await buyer.pay(buyer.billingCycleId);
  const startDate = addDays(dayOf(money.portal.clock()), 30);
  const later = { params: { activationId: buyer.activationId, planId: 'growth' }, body: { startDate } };
  await buyer.pay((await money.ask(addCycle, later, buyer.token)).billingCycleId ?? '');
  await buyer.save({ purchaseOrder: 'PO-NEXT' });
  money.moveClock(30 * dayMs);
  await invoiceStartedCycles(money.portal);
  const kept = { number: 'PO/26-27/0042', date: '2026-11-03' };
  expect((await buyer.documents()).map((each) => [each.kind, each.order])).toEqual([
    ['INVOICE', kept],
    ['RECEIPT_VOUCHER', kept],
    ['INVOICE', kept],
  ]);
});

test('a purchase order that is named for a payment is on its documents, and kept by its order', async () => {
  const buyer = await buyerWith(order);
  const { activationId, billingCycleId } = buyer;
  const name = async (purchaseOrder: { number: string; date: string | null } | null) => {
    const body = { billingCycleIds: [billingCycleId], purchaseOrder };
    return (await money.ask(createOrderOfPeriods, { params: { activationId }, body }, buyer.token)).orderId;
  };
  const shown = async () => {
    const { activations } = await money.ask(listActivations, {}, buyer.token);
    return activations[0]?.billingCycles[0]?.purchaseOrder;
  };
  expect(await shown()).toEqual({ number: 'PO/26-27/0042', date: '2026-11-03' });
  const first = await name({ number: 'ONCE-7', date: null });
  expect(await shown()).toEqual({ number: 'ONCE-7', date: null });
  // None on purpose, although the business details name one.
  expect(await name(null)).toBe(first);
  expect(await shown()).toBeNull();
  expect(await name({ number: 'ONCE-8', date: '2026-11-20' })).toBe(first);
  // Paid by the plain call, which names nothing.
  await buyer.pay(billingCycleId);
  expect(await buyer.documents()).toEqual([{ kind: 'INVOICE', order: { number: 'ONCE-8', date: '2026-11-20' } }]);
  expect(await shown()).toBeNull();
});

test.each([
  ['a number that the invoice portal refuses', { number: 'PO 42', date: null }],
  ['a date without a number', { number: '', date: '2026-11-03' }],
])('an order refuses %s', async (_what, purchaseOrder) => {
  const buyer = await buyerWith({});
  const body = { billingCycleIds: [buyer.billingCycleId], purchaseOrder };
  const input = { params: { activationId: buyer.activationId }, body };
  expect((await money.send(createOrderOfPeriods, input, buyer.token)).status).toBe(400);
});

test.each([
  ['a number that the invoice portal refuses', { purchaseOrder: 'PO 42' }],
  ['a number over 16 characters', { purchaseOrder: 'PO-00000000000042' }],
  ['a date without a number', { purchaseOrderDate: '2026-11-03' }],
  ['a day that does not exist', { purchaseOrder: 'PO-42', purchaseOrderDate: '2026-02-30' }],
])('the business profile refuses %s', async (_what, change) => {
  const customer = await money.newCustomer();
  const response = await money.send(updateProfile, { body: { ...sampleProfile, ...change } }, customer.token);
  expect(response.status).toBe(400);
});

test('a business profile with letters that documents cannot show is refused at its fields', async () => {
  const buyer = await buyerWith({ legalName: 'ᱠᱟᱵᱮᱨᱤ', address: '12 महात्मा गांधी मार्ग' });
  const refused = await buyer.save({ legalName: 'Kaveri 🙂', address: '12\n東 Road' });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: [
        { pointer: '/legalName', message: expect.stringContaining('“🙂” (U+1F642)') },
        { pointer: '/address', message: expect.stringContaining('“東” (U+6771)') },
      ],
    },
  });
});

test('a business profile with the GSTIN of the seller is refused at its field', async () => {
  const buyer = await buyerWith({});
  const { supplierGstin: gstin } = money.portal.settings;
  expect(await buyer.save({ gstin, stateCode: gstin.slice(0, 2), pin: '400053' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/gstin', message: expect.stringContaining('the GSTIN of the seller') }] },
  });
});
