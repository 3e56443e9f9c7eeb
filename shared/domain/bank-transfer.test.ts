import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AskedOrder, meaningOfCredit } from './bank-transfer.ts';

const order = (id: string, more: Partial<AskedOrder> = {}): AskedOrder => ({
  id,
  amountPaise: 149_900,
  deductions: [],
  askedAtMs: 0,
  isByCustomer: true,
  isOpen: true,
  isTaken: false,
  ...more,
});

const orderOfCredit = (paise: number, asked: readonly AskedOrder[]) =>
  meaningOfCredit(paise, asked, undefined)?.orderId;

test('a credit of a customer who asked for no account is for no order', () => {
  expect(orderOfCredit(149_900, [])).toBeUndefined();
});

test('of two open orders over the same amount, the one asked for first is paid first', () => {
  const asked = [order('B', { askedAtMs: 2 }), order('A', { askedAtMs: 1 })];
  expect(orderOfCredit(149_900, asked)).toBe('A');
  expect(orderOfCredit(149_900, [order('A', { askedAtMs: 1, isTaken: true }), order('B', { askedAtMs: 2 })])).toBe('B');
});

test('what the customer asked for is paid before what a holder of a pay link asked for earlier, also less tax', () => {
  const deductions = [{ percent: 10, paise: 12_700 } as const];
  const asked = [
    order('LINK', { askedAtMs: 1, isByCustomer: false, deductions }),
    order('OWN', { askedAtMs: 2, deductions }),
    order('LATER', { askedAtMs: 3, deductions }),
  ];
  expect(orderOfCredit(149_900, asked)).toBe('OWN');
  expect(orderOfCredit(137_200, asked)).toBe('OWN');
  const paid = asked.map((each) => (each.isByCustomer ? { ...each, isOpen: false, isTaken: true } : each));
  expect(orderOfCredit(149_900, paid)).toBe('LINK');
});

test('a closed order is meant only where no open one has the amount, and then the latest', () => {
  const closed = [order('A', { isOpen: false, askedAtMs: 1 }), order('B', { isOpen: false, askedAtMs: 2 })];
  expect(orderOfCredit(149_900, [...closed, order('C')])).toBe('C');
  expect(orderOfCredit(149_900, closed)).toBe('B');
});

test('a second transfer and another amount belong to the latest order', () => {
  const asked = [order('A', { isTaken: true }), order('B', { amountPaise: 99_900, askedAtMs: 1 })];
  expect(orderOfCredit(149_900, asked)).toBe('A');
  expect(orderOfCredit(149_800, asked)).toBe('B');
});

test('a credit of before a restore, whose order may be lost, is only for what is still to be paid, and exactly', () => {
  const asked = [
    order('A', { isTaken: true, isOpen: false }),
    order('B', { isOpen: false }),
    order('C', { amountPaise: 99_900, askedAtMs: 1 }),
  ];
  const ofLost = (paise: number) => meaningOfCredit(paise, asked, undefined, true)?.orderId;
  expect(ofLost(149_900)).toBeUndefined();
  expect(ofLost(149_800)).toBeUndefined();
  expect(ofLost(99_900)).toBe('C');
});

const deductions = [
  { percent: 2, paise: 2500 },
  { percent: 10, paise: 12_700 },
] as const;

test('what is due less tax is of the order that it explains, and declared only at the percentage that was', () => {
  const asked = [order('A', { deductions }), order('B', { amountPaise: 99_900, askedAtMs: 1 })];
  const tenth = { percent: 10, paise: 12_700 };
  expect(meaningOfCredit(137_200, asked, 10)).toEqual({ orderId: 'A', deduction: { ...tenth, isDeclared: true } });
  for (const declared of [undefined, 2] as const)
    expect(meaningOfCredit(137_200, asked, declared)).toEqual({
      orderId: 'A',
      deduction: { ...tenth, isDeclared: false },
    });
  for (const paise of [137_199, 137_201]) expect(meaningOfCredit(paise, asked, 10)).toEqual({ orderId: 'B' });
});

test('a full amount is never taken for another one less tax, nor a bill that was paid for one that is not', () => {
  const large = order('L', { deductions });
  const small = order('S', { amountPaise: 137_200, askedAtMs: 1 });
  expect(meaningOfCredit(137_200, [large, small], 10)).toEqual({ orderId: 'S' });
  expect(
    meaningOfCredit(
      137_200,
      [
        { ...large, isTaken: true },
        { ...small, isTaken: true },
      ],
      10,
    ),
  ).toEqual({
    orderId: 'S',
  });
});

const orders = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    amountPaise: fc.integer({ min: 1, max: 3 }),
    deductions: fc.constantFrom<AskedOrder['deductions']>([], [{ percent: 10, paise: 1 }]),
    askedAtMs: fc.integer({ min: 0, max: 3 }),
    isByCustomer: fc.boolean(),
    isOpen: fc.boolean(),
    isTaken: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 6 },
);

test('every credit of a customer who asked has an order, and the order of the list decides nothing', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 4 }), (asked, paise) => {
      const meant = orderOfCredit(paise, asked);
      expect(meant === undefined).toBe(asked.length === 0);
      expect(orderOfCredit(paise, asked.toReversed())).toBe(meant);
    }),
  );
});

test('as many equal open orders are paid as equal credits arrive', () => {
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 6 }), (asked, paise, credits) => {
      let now: AskedOrder[] = asked;
      const paid = new Set<string>();
      const payable = asked.filter((each) => each.amountPaise === paise && each.isOpen && !each.isTaken);
      for (let credit = 0; credit < credits; credit++) {
        const id = orderOfCredit(paise, now);
        if (payable.some((each) => each.id === id)) paid.add(id ?? '');
        now = now.map((each) =>
          each.id === id && each.amountPaise === paise ? { ...each, isOpen: false, isTaken: true } : each,
        );
      }
      expect(paid.size).toBe(Math.min(payable.length, credits));
    }),
  );
});
