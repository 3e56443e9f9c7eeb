import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { changeBetween, rateOfSupply, rateOn } from '#shared/domain/gst-rate.ts';

const change = '2026-12-01';
const rates = [
  { from: '2017-07-01', basisPoints: 1800 },
  { from: change, basisPoints: 500 },
];
const [before, after] = ['2026-11-20', '2026-12-05'];

test('a rate applies from its first day on, and the first rate also before', () => {
  expect(['2016-01-01', '2026-11-30', change, '2030-01-01'].map((day) => rateOn(rates, day))).toEqual([
    1800, 1800, 500, 500,
  ]);
  expect(() => rateOn([], change)).toThrow(RangeError);
});

// The six cases of CGST Act s.14 in its own order: supplied, invoiced, paid.
test.each([
  ['(a)(i)', before, after, after, 500],
  ['(a)(ii)', before, before, after, 1800],
  ['(a)(iii)', before, after, before, 1800],
  ['(b)(i)', after, before, after, 500],
  ['(b)(ii)', after, before, before, 1800],
  ['(b)(iii)', after, after, before, 500],
])('section 14%s: supplied %s, invoiced %s, paid %s', (_clause, suppliedOn, invoicedOn, paidOn, rate) => {
  expect(rateOfSupply(rates, { suppliedOn, invoicedOn, paidOn })).toBe(rate);
});

const day = fc.integer({ min: -400, max: 400 }).map((days) => addDays(change, days));

test('the new rate applies when at least two of supply, invoice and payment are on the day of the change or later', () => {
  fc.assert(
    fc.property(day, day, day, (suppliedOn, invoicedOn, paidOn) => {
      const late = [suppliedOn, invoicedOn, paidOn].filter((each) => each >= change).length;
      expect(rateOfSupply(rates, { suppliedOn, invoicedOn, paidOn })).toBe(late >= 2 ? 500 : 1800);
    }),
  );
});

test('the rate is always in force on one of the three days, and is theirs when all three agree', () => {
  const several = fc
    .uniqueArray(day, { minLength: 1, maxLength: 4 })
    .map((days) => days.toSorted().map((from, index) => ({ from, basisPoints: index * 100 })));
  fc.assert(
    fc.property(several, day, day, day, (dated, suppliedOn, invoicedOn, paidOn) => {
      const inForce = [suppliedOn, invoicedOn, paidOn].map((each) => rateOn(dated, each)).toSorted((a, b) => a - b);
      expect(rateOfSupply(dated, { suppliedOn, invoicedOn, paidOn })).toBe(inForce[1]);
    }),
  );
});

test('the rate of what is invoiced first is the same for every day of payment, unless it changes between invoice and supply', () => {
  fc.assert(
    fc.property(day, fc.nat(400), fc.array(fc.nat(900), { minLength: 1, maxLength: 6 }), (invoicedOn, later, paid) => {
      const suppliedOn = addDays(invoicedOn, later);
      const found = paid.map((days) =>
        rateOfSupply(rates, { invoicedOn, suppliedOn, paidOn: addDays(invoicedOn, days) }),
      );
      const changes = changeBetween(rates, { invoicedOn, suppliedOn });
      expect(changes).toBe(invoicedOn < change && suppliedOn >= change ? change : undefined);
      const isCertain = new Set([...found, rateOn(rates, invoicedOn)]).size === 1;
      expect(changes !== undefined || isCertain).toBe(true);
    }),
  );
});
