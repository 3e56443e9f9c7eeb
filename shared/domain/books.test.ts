import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookAccount } from '#shared/domain/book-accounts.ts';
import { sumOfVoucher } from '#shared/domain/book-voucher.ts';
import { type BookFacts, revenueSteps, voucherSteps } from '#shared/domain/books.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { gstReturnOf, netOf } from '#shared/domain/gst-return.ts';
import { monthOf } from '#shared/domain/month.ts';
import { anySale, factsOf, lastDay, recipients, type TestSale } from '#shared/domain/test-books.ts';
import { balancesOf, trialBalanceOf } from '#shared/domain/trial-balance.ts';
import { addDays, type Day } from '#shared/domain/day.ts';

const sale: TestSale = {
  recipient: { kind: 'unregistered', stateCode: '27' },
  totalPaise: 118_000,
  paidOn: 0,
  startsAfter: 0,
  end: 'kept',
  endsAfter: 0,
  percent: 50,
};
function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
const vouchersOf = (facts: BookFacts, through: Day) => atOnce(voucherSteps(facts, through));
const nothing: BookFacts = {
  documents: [],
  cash: [],
  ends: new Map(),
  disputes: [],
  settlements: [],
  tds: [],
  badDebts: [],
};
const balancesOn = (facts: BookFacts, on: Day) => Object.fromEntries(balancesOf(vouchersOf(facts, on)));

test('a sale is payment, invoice with tax payable, and revenue earned day by day', () => {
  const { facts } = factsOf([sale]);
  expect(balancesOn(facts, '2026-01-05')).toEqual({
    gateway: 118_000,
    customers: 0,
    'output-cgst': -9000,
    'output-sgst': -9000,
    'deferred-revenue': -(100_000 - 3333),
    revenue: -3333,
  });
  expect(balancesOn(facts, lastDay)).toMatchObject({ 'deferred-revenue': 0, revenue: -100_000 });
});

test('an advance is a liability with its tax payable until its invoice sets it off', () => {
  const { facts } = factsOf([{ ...sale, startsAfter: 10 }]);
  expect(balancesOn(facts, '2026-01-14')).toEqual({
    gateway: 118_000,
    customers: 0,
    advances: -100_000,
    'output-cgst': -9000,
    'output-sgst': -9000,
  });
  expect(balancesOn(facts, lastDay)).toMatchObject({ advances: 0, revenue: -100_000, 'output-cgst': -9000 });
});

test('a refund takes back tax and unearned revenue, and is owed to the customer until it is paid out', () => {
  const { facts } = factsOf([{ ...sale, end: 'ended with a refund', endsAfter: 14 }]);
  expect(balancesOn(facts, '2026-01-19')).toMatchObject({
    gateway: 118_000,
    customers: -59_000,
    'deferred-revenue': 0,
    revenue: -50_000,
    'output-cgst': -4500,
  });
  expect(balancesOn(facts, '2026-01-23')).toMatchObject({ gateway: 59_000, customers: 0 });
});

test('a cancelled invoice has no sales voucher, but its advance stays used up until the replacement', () => {
  const { facts } = factsOf([{ ...sale, startsAfter: 10 }]);
  const documents = facts.documents.map((document) => ({ ...document, cancelled: document.kind === 'INVOICE' }));
  expect(balancesOn({ ...facts, documents }, lastDay)).toMatchObject({
    advances: 0,
    customers: -118_000,
    'output-cgst': 0,
  });
});

test('an invoice that is cancelled in the next month leaves its payment in its own as an advance with its tax', () => {
  const { facts } = factsOf([{ ...sale, end: 'corrected', endsAfter: 30 }]);
  const documents = facts.documents
    .filter(({ kind }) => kind === 'INVOICE')
    .map((document) =>
      document.refersToId === null ? { ...document, cancelled: true, cancelledLater: true } : document,
    );
  const [before, after] = [{ ...facts, documents }, documents.at(-1)?.issuedOn ?? ''];
  const advance = { advances: -100_000, customers: 0, 'output-cgst': -9000, 'output-sgst': -9000 };
  expect(balancesOn(before, addDays(after, -1))).toMatchObject(advance);
  expect(balancesOn(before, lastDay)).toMatchObject({ ...advance, advances: 0, revenue: -100_000 });
});

test('a settlement moves money from the payment gateway to the bank, less its fee and the GST on it', () => {
  const { facts } = factsOf([sale]);
  const gst = { igstPaise: 425, cgstPaise: 0, sgstPaise: 0 };
  const transfer = { utr: 'HDFC0000000001', on: '2026-01-06' };
  const amounts = { bankPaise: 115_215, feePaise: 2360, gst, unmatchedPaise: 0 };
  const settlements = [{ id: 'setl_1', on: '2026-01-07', ...amounts, transfer }];
  const balances = balancesOn({ ...facts, settlements }, lastDay);
  const narration = 'Settlement setl_1 of the payment gateway (UTR HDFC0000000001 of 2026-01-06)';
  expect(vouchersOf({ ...nothing, settlements }, lastDay)).toMatchObject([{ narration, transfer }]);
  expect(balances).toMatchObject({ gateway: 0, bank: 115_215, 'gateway-fees': 2360, 'input-igst': 425 });
});

test('a refund by bank transfer leaves the bank account on its day, and names the transfer', () => {
  const about = { kind: 'refunded', customerId: 'CUS-1', paymentId: 'pay_1', amountPaise: 5000 } as const;
  const transfer = { utr: 'SBIN326015123456', on: '2026-01-07' };
  const cash = [{ ...about, id: 'paid:RFD-1', on: '2026-01-20', transfer }];
  const [voucher, ...others] = vouchersOf({ ...nothing, cash }, lastDay);
  expect(others).toEqual([]);
  expect(voucher).toMatchObject({ kind: 'Payment', on: '2026-01-20', number: 'RFD-1', transfer });
  expect(voucher?.narration).toBe(
    'Refund RFD-1 of payment pay_1 by bank transfer (UTR SBIN326015123456 of 2026-01-07)',
  );
  expect(balancesOn({ ...nothing, cash }, lastDay)).toEqual({ bank: -5000, customers: 5000 });
});

test('vouchers of one kind have different numbers, also those of one payment', () => {
  const about = { on: '2026-01-07', customerId: 'CUS-1', paymentId: 'pay_1', amountPaise: 5000, transfer: null };
  const cash = ['capture:pay_1', 'capture:pay_1:2', 'paid:RFD-1', 'paid:RFD-2'].map((id) => {
    return { ...about, id, kind: id.startsWith('capture') ? ('captured' as const) : ('refunded' as const) };
  });
  const disputes = [
    { ...about, id: 'held:disp_1', kind: 'held' as const },
    { ...about, id: 'released:disp_1', kind: 'released' as const },
    { ...about, id: 'loss:disp_1', kind: 'lost' as const },
    { ...about, id: 'held:disp_2', kind: 'held' as const },
  ];
  const names = vouchersOf({ ...nothing, cash, disputes }, lastDay).map(({ kind, number }) => `${kind} ${number}`);
  expect(names).toHaveLength(8);
  expect(new Set(names).size).toBe(names.length);
});

test('money held back for a dispute is not available until it is released, and what a lost one takes beyond a refund is an expense', () => {
  const about = { customerId: 'CUS-0', paymentId: 'pay_0', amountPaise: 118_000 };
  const held = { ...about, id: 'held:disp_1', kind: 'held' as const, on: '2026-01-07' };
  const released = { ...about, id: 'released:disp_1', kind: 'released' as const, on: '2026-01-20' };
  const lost = { ...about, id: 'loss:disp_1', kind: 'lost' as const, on: '2026-01-20', amountPaise: 5000 };
  const { facts } = factsOf([sale]);
  const disputes = [held, released, lost];
  expect(balancesOn({ ...facts, disputes }, '2026-01-07')).toMatchObject({ gateway: 0, disputed: 118_000 });
  const after = balancesOn({ ...facts, disputes }, lastDay);
  expect(after).toMatchObject({ gateway: 113_000, disputed: 0, 'dispute-losses': 5000 });
});

test('tax that a customer deducted is receivable from the Government', () => {
  const about = { on: '2026-01-07', customerId: 'CUS-1', quarter: '2025-26 Q4', section: '194J' } as const;
  const tds = [{ ...about, id: 'TDS-1', amountPaise: 10_000 }];
  expect(balancesOn({ ...nothing, tds }, lastDay)).toEqual({ 'tds-receivable': 10_000, customers: -10_000 });
});

test('over any sales and on any day, every voucher and the trial balance sum to zero, and the past never changes', () => {
  fc.assert(
    fc.property(fc.array(anySale, { maxLength: 10 }), fc.integer({ min: 0, max: 400 }), (sales, days) => {
      const { facts } = factsOf(sales);
      const on = addDays('2026-01-05', days);
      const vouchers = vouchersOf(facts, on);
      expect(vouchers.filter((voucher) => sumOfVoucher(voucher) !== 0)).toEqual([]);
      expect(new Set(vouchers.map(({ id }) => id)).size).toBe(vouchers.length);
      expect(new Set(vouchers.map(({ kind, number }) => `${kind} ${number}`)).size).toBe(vouchers.length);
      const { debitPaise, creditPaise } = trialBalanceOf(vouchers);
      expect(debitPaise).toBe(creditPaise);
      const later = vouchersOf(facts, lastDay).filter((voucher) => voucher.on <= on);
      expect(later).toEqual(vouchers);
    }),
    { numRuns: 60 },
  );
});

test('over any sales, the books end with what the customers paid and got back, and no advance or deferral is left', () => {
  fc.assert(
    fc.property(fc.array(anySale, { maxLength: 10 }), (sales) => {
      const { facts } = factsOf(sales);
      const balances = balancesOf(vouchersOf(facts, lastDay));
      const of = (account: BookAccount) => balances.get(account) ?? 0;
      const cash = facts.cash.reduce(
        (sum, { kind, amountPaise }) => sum + (kind === 'captured' ? 1 : -1) * amountPaise,
        0,
      );
      expect([of('gateway') + of('bank'), of('customers'), of('advances'), of('deferred-revenue')]).toEqual([
        cash,
        0,
        0,
        0,
      ]);
      const tax = of('output-igst') + of('output-cgst') + of('output-sgst');
      expect(cash + of('revenue') + tax + of('round-off')).toBe(0);
    }),
    { numRuns: 60 },
  );
});

const inOrder = (sums: Map<Day, number>) =>
  [...sums].filter(([, paise]) => paise !== 0).toSorted(([a], [b]) => a.localeCompare(b));
const sumOfAll = (sums: Map<unknown, number>) => [...sums.values()].reduce((total, paise) => total + paise, 0);

test('over any sales and in any days, the revenue of invoices is that of the vouchers', () => {
  fc.assert(
    fc.property(
      fc.array(anySale, { maxLength: 10 }),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 100 }),
      (sales, start, length) => {
        const { facts } = factsOf(sales);
        const from = addDays('2026-01-01', start);
        const to = addDays(from, length);
        const documents = facts.documents.filter(({ issuedOn }) => issuedOn <= to);
        const found = atOnce(revenueSteps({ ...facts, documents }, { from, to }));
        const booked = new Map<Day, number>();
        for (const { on, lines } of vouchersOf(facts, to))
          for (const { account, amountPaise } of lines)
            if (account === 'revenue' && on >= from) booked.set(on, (booked.get(on) ?? 0) - amountPaise);
        expect(inOrder(found.byDay)).toEqual(inOrder(booked));
        expect(sumOfAll(found.byInvoice)).toBe(sumOfAll(found.byDay));
      },
    ),
  );
});

test('over any sales, tax payable grows each month by the tax of that month’s GSTR-1, kind by kind', () => {
  fc.assert(
    fc.property(fc.array(anySale, { maxLength: 10 }), (sales) => {
      const { facts, documents } = factsOf(sales);
      const vouchers = vouchersOf(facts, lastDay);
      for (const [month, own] of groupBy(documents, ({ issuedOn }) => monthOf(issuedOn))) {
        const net = netOf(gstReturnOf(month, own));
        const balances = balancesOf(vouchers.filter(({ on }) => monthOf(on) === month));
        const payable = (account: BookAccount) => 0 - (balances.get(account) ?? 0);
        expect([payable('output-igst'), payable('output-cgst'), payable('output-sgst')]).toEqual([
          net.igstPaise,
          net.cgstPaise,
          net.sgstPaise,
        ]);
      }
    }),
    { numRuns: 60 },
  );
});

test('partial refunds of an advance leave no paisa of their rounding in advances or tax', () => {
  const { facts } = factsOf([
    { ...sale, startsAfter: 10, end: 'cancelled before the start', recipient: recipients[0] ?? sale.recipient },
  ]);
  const [voucher, refund] = facts.documents;
  if (!voucher || !refund) throw new Error('a voucher and its refund');
  const parts = [1, 2, 3].map((index) => ({
    ...refund,
    id: `V/${index}`,
    totalPaise: index === 3 ? 39_334 : 39_333,
    taxablePaise: 33_333,
    igstPaise: index === 3 ? 6001 : 6000,
  }));
  const balances = balancesOf(vouchersOf({ ...facts, documents: [voucher, ...parts] }, lastDay));
  expect([balances.get('advances'), balances.get('output-igst'), balances.get('customers')]).toEqual([0, 0, 0]);
});

test('the books of many sales are computed in steps, between which other work has its turn', () => {
  const { facts } = factsOf(Array.from({ length: 1600 }, () => sale));
  const span = { from: '2026-01-01', to: lastDay };
  expect([...voucherSteps(facts, lastDay)].length).toBeGreaterThan(5);
  expect([...revenueSteps(facts, span)].length).toBeGreaterThan(2);
});
