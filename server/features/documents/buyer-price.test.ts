import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { type Profile, updateProfile } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { listPlans } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { netOf } from '#shared/domain/gst-return.ts';
import { monthOf } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { readGstReturn } from './gstr1.ts';
import { declareClaim, newBuyer, sampleLetters } from './test-buyer.ts';

const dayMs = 86_400_000;
const changeDay: Day = addDays(dayOf(Date.now()), 40);
const rates = `[{ from: '2017-07-01', percent: 18 }, { from: '${changeDay}', percent: 5 }]`;

type Terms = Record<string, string>;
/** A catalogue with other terms of the invoicing system, whose growth plan costs ₹1,499. */
const catalogWith = (...terms: Terms[]): string => changedCatalog({ 'invoicing-system': Object.assign({}, ...terms) });
const exclusive: Terms = { tax: 'exclusive' };
const changing: Terms = { gstRatePercent: rates };
const refunding: Terms = { onDeactivate: 'refund-unused' };

const portals: Record<string, TestPortal> = {};
async function open(name: string, env: Record<string, string>, ...terms: Terms[]): Promise<void> {
  portals[name] = await startTestPortal({
    jobs: false,
    env,
    catalogDir: changedCatalog({ 'invoicing-system': Object.assign({}, ...terms) }),
  });
  await portals[name].behave({ webhooks: { enabled: false } });
}

beforeAll(async () => {
  const lut = { LETTERS_OF_UNDERTAKING: sampleLetters() };
  await open('inclusive, LUT', lut, changing);
  await open('exclusive, LUT', lut, exclusive, changing);
  await open('inclusive, no LUT', {});
  await open('exclusive, no LUT', {}, exclusive);
});
afterAll(async () => {
  await Promise.all(Object.values(portals).map((portal) => portal.close()));
});
function at(name: string): TestPortal {
  const portal = portals[name];
  if (!portal) throw new Error(`no portal ${name}`);
  return portal;
}

const consumer = {};
const business = { gstin: '29ZZZCA0001A1Z0' };
const sez = { gstin: '29ZZZCA0001A1Z0', sez: true };
const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };

/** A buyer with a growth cycle that waits for its payment, and the steps that follow. */
async function withCycle(portal: TestPortal, profile: Partial<Profile>, inDays = 0) {
  const buyer = await newBuyer(portal, profile);
  const { token, activationId } = buyer;
  const body = { startDate: addDays(buyer.today(), inDays) };
  const params = { activationId, planId: 'growth' };
  const { billingCycleId: id = '' } = await portal.ask(addCycle, { params, body }, token);
  return {
    ...buyer,
    cycle: async () => {
      const { activations } = await portal.ask(listActivations, {}, token);
      return activations[0]?.billingCycles.find((cycle) => cycle.id === id);
    },
    offered: async () => {
      const plans = await portal.ask(listPlans, { params: { productId: 'invoicing-system' } }, token);
      return Object.values(plans)
        .flat()
        .find((plan) => plan.id === 'growth');
    },
    order: () => portal.ask(createOrder, { params: { id } }, token),
    become: async (other: Partial<Profile>) => {
      await portal.ask(updateProfile, { body: { ...sampleProfile, ...other } }, token);
      await declareClaim(portal, token);
    },
    pay: async (orderId: string) => {
      return (await portal.ask(verifyPayment, { body: await portal.checkOut(orderId) }, token)).status;
    },
  };
}

const taxed = { inclusive: [1499, 1270.34], exclusive: [1768.82, 1499] } as const;
const free = { inclusive: [1499, 1499], exclusive: [1499, 1499] } as const;

test.each([
  ['a consumer', consumer, taxed, taxed],
  ['a business', business, taxed, taxed],
  ['an SEZ', sez, free, taxed],
  ['a buyer abroad', abroad, free, taxed],
])(
  '%s: marketplace, order, payment, invoice and GST return show the same price',
  async (_who, profile, withLut, without) => {
    for (const tax of ['inclusive', 'exclusive'] as const) {
      for (const [lut, prices] of [
        ['LUT', withLut],
        ['no LUT', without],
      ] as const) {
        const portal = at(`${tax}, ${lut}`);
        const month = monthOf(dayOf(portal.portal.clock()));
        const before = netOf(await readGstReturn(portal.portal.db, month));
        const buyer = await withCycle(portal, profile);
        const [total, taxableValue] = prices[tax];
        expect(await buyer.offered()).toMatchObject({ total, taxableValue });
        expect(await buyer.cycle()).toMatchObject({ price: total, taxableValue });
        const order = await buyer.order();
        expect(order.amount).toBe(total);
        expect(await buyer.pay(order.orderId)).toBe('success');
        expect(await buyer.cycle()).toMatchObject({ status: 'PAID', price: total, taxableValue });
        expect((await buyer.documents())[0]).toMatchObject({ kind: 'INVOICE', total, taxableValue });
        const after = netOf(await readGstReturn(portal.portal.db, month));
        const reported = [after.totalPaise - before.totalPaise, after.taxablePaise - before.taxablePaise];
        expect(reported).toEqual([Math.round(total * 100), Math.round(taxableValue * 100)]);
      }
    }
  },
);

test('an order created before the buyer became zero-rated is replaced by one with the new price', async () => {
  const buyer = await withCycle(at('exclusive, LUT'), consumer);
  const first = await buyer.order();
  await buyer.become(abroad);
  expect(await buyer.cycle()).toMatchObject({ price: 1499, taxableValue: 1499 });
  const second = await buyer.order();
  expect([first.amount, second.amount]).toEqual([1768.82, 1499]);
  expect(second.orderId).not.toBe(first.orderId);
  expect((await buyer.order()).orderId).toBe(second.orderId);
  expect(await buyer.pay(second.orderId)).toBe('success');
  expect((await buyer.documents())[0]).toMatchObject({ total: 1499, taxableValue: 1499, igst: 0 });
});

test.each([
  ['zero-rated', consumer, abroad],
  ['taxed', abroad, consumer],
])('a payment of the old price is refunded when the buyer has become %s since the order', async (_what, was, is) => {
  const buyer = await withCycle(at('exclusive, LUT'), was);
  const { orderId } = await buyer.order();
  await buyer.become(is);
  expect(await buyer.pay(orderId)).toBe('refunded');
  expect(await buyer.documents()).toEqual([]);
  const again = await buyer.order();
  expect(await buyer.pay(again.orderId)).toBe('success');
  expect((await buyer.documents())[0]).toMatchObject({ total: again.amount });
});

test('an unpaid order is replaced when the tax rate changes, and an advance uses the rate of its start date', async () => {
  const portal = at('exclusive, LUT');
  const early = await withCycle(portal, consumer, 41);
  expect((await early.order()).amount).toBe(1573.95);
  portal.moveClock(startOfDay(addDays(changeDay, -1)) - portal.portal.clock() + 1000);
  const buyer = await withCycle(portal, consumer);
  const old = await buyer.order();
  expect(old.amount).toBe(1768.82);
  portal.moveClock(dayMs);
  expect(await buyer.cycle()).toMatchObject({ price: 1573.95, taxableValue: 1499 });
  const order = await buyer.order();
  expect(order.amount).toBe(1573.95);
  expect(await buyer.pay(order.orderId)).toBe('success');
  expect((await buyer.documents())[0]).toMatchObject({ total: 1573.95, taxableValue: 1499, igst: 74.95 });
});

test('a cycle paid before a rate change and served and invoiced after it is taxed at the new rate; its voucher keeps the old one', async () => {
  const portal = at('inclusive, LUT');
  const now = await withCycle(portal, consumer);
  await now.pay((await now.order()).orderId);
  const later = await withCycle(portal, consumer, 41);
  await later.pay((await later.order()).orderId);
  const late = await withCycle(portal, consumer, 30);
  await late.pay((await late.order()).orderId);
  // Served before the change and invoiced after it, because the portal was down in between (section 14(a)(iii)).
  portal.moveClock(startOfDay(addDays(changeDay, 2)) - portal.portal.clock());
  await runRounds(portal.portal);
  expect((await now.documents())[0]).toMatchObject({ kind: 'INVOICE', total: 1499, igst: 228.66 });
  expect(await later.documents()).toMatchObject([
    { kind: 'RECEIPT_VOUCHER', total: 1499, taxableValue: 1270.34, igst: 228.66 },
    { kind: 'INVOICE', total: 1499, taxableValue: 1427.62, igst: 71.38 },
  ]);
  expect((await late.documents())[1]).toMatchObject({ kind: 'INVOICE', total: 1499, igst: 228.66 });
  // The advance is deducted at the rate at which it was reported.
  const { atadj, b2cs } = await readGstReturn(portal.portal.db, monthOf(later.today()));
  expect(atadj.map(({ gstRateBasisPoints }) => gstRateBasisPoints)).toEqual([1800]);
  expect(new Set(b2cs.map(({ gstRateBasisPoints }) => gstRateBasisPoints))).toEqual(new Set([1800, 500]));
});

test('an advance larger than the price at invoicing gives the excess tax back before its invoice', async () => {
  const portal = at('exclusive, LUT');
  const { db } = portal.portal;
  const buyer = await withCycle(portal, consumer, 5);
  expect(await buyer.pay((await buyer.order()).orderId)).toBe('success');
  await buyer.become(abroad);
  portal.moveClock(5 * dayMs);
  await runRounds(portal.portal);
  await runRounds(portal.portal);
  expect(await buyer.documents()).toMatchObject([
    { kind: 'RECEIPT_VOUCHER', total: 1573.95, taxableValue: 1499, igst: 74.95 },
    { kind: 'REFUND_VOUCHER', total: 74.95 },
    { kind: 'INVOICE', total: 1499, taxableValue: 1499, igst: 0 },
  ]);
  expect(await buyer.cycle()).toMatchObject({ status: 'PAID' });
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
  const refunds = await db.selectFrom('refunds').select(['origin', 'amount_paise']).execute();
  expect(refunds.filter(({ origin }) => origin === 'EXCESS_TAX')).toEqual([
    { origin: 'EXCESS_TAX', amount_paise: 7495 },
  ]);
});

test('an advance that a lower rate has made too large is deducted from GSTR-1 at the rate and place of the advance', async () => {
  const portal = await startTestPortal({ jobs: false, catalogDir: catalogWith(exclusive, refunding) });
  try {
    await portal.behave({ webhooks: { enabled: false } });
    const buyer = await withCycle(portal, consumer, 40);
    expect(await buyer.pay((await buyer.order()).orderId)).toBe('success');
    const paidIn = monthOf(buyer.today());
    // The rate falls after the payment, and nobody knew of it when the price was fixed.
    portal.portal.catalog = readCatalog(catalogWith(exclusive, refunding, changing));
    await buyer.become(placeIn('33'));
    portal.moveClock(40 * dayMs);
    // Ending the plan before the round invoices it must not refund the excess twice.
    const { billingCycles } = (await portal.ask(listActivations, {}, buyer.token)).activations[0] ?? {};
    const paid = billingCycles?.find(({ status }) => status === 'PAID');
    const ended = await buyer.end(paid?.id ?? '');
    // 29 of 30 days, of the price without the excess.
    expect(ended).toMatchObject({ kind: 'deactivate', unusedDays: 29, refundAmount: 1521.49 });
    await runRounds(portal.portal);
    const documents = await buyer.documents();
    expect(documents.slice(0, 3)).toMatchObject([
      { kind: 'RECEIPT_VOUCHER', total: 1768.82, taxableValue: 1499, placeOfSupply: '29 Karnataka' },
      { kind: 'REFUND_VOUCHER', total: 194.87, placeOfSupply: '29 Karnataka' },
      { kind: 'INVOICE', total: 1573.95, taxableValue: 1499, igst: 74.95, placeOfSupply: '33 Tamil Nadu' },
    ]);
    const { db } = portal.portal;
    const { at: advances } = await readGstReturn(db, paidIn);
    const { atadj, b2cs } = await readGstReturn(db, monthOf(buyer.today()));
    const advance = { placeOfSupply: '29', gstRateBasisPoints: 1800, totalPaise: 176_882, taxablePaise: 149_900 };
    expect(advances).toMatchObject([advance]);
    expect(atadj).toMatchObject([advance]);
    // The invoice less the credit note.
    expect(b2cs).toMatchObject([{ placeOfSupply: '33', gstRateBasisPoints: 500, totalPaise: 157_395 - 152_149 }]);
    expect((await verifyLedgerOf(db)).faults).toEqual([]);
  } finally {
    await portal.close();
  }
});
