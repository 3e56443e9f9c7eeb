import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';
import { type EarningChange, type EarningInvoice, earningOf } from '#shared/domain/earning.ts';

const never: Day = '2099-12-31';
const november: EarningInvoice = {
  issuedOn: '2026-11-01',
  fromDate: '2026-11-01',
  toDate: '2026-12-01',
  taxablePaise: 100_000,
};
const earnedOf = ({ days }: ReturnType<typeof earningOf>) => days.reduce((sum, { paise }) => sum + paise, 0);

test('a taxable value is earned in equal parts, which sum to it to the paisa', () => {
  const { days, deferredPaise } = earningOf(november, [], never);
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ on: '2026-11-01', paise: 3333 });
  expect(new Set(days.map(({ paise }) => paise))).toEqual(new Set([3333, 3334]));
  expect([earnedOf({ days, deferredPaise, credits: new Map() }), deferredPaise]).toEqual([100_000, 0]);
});

test('on a day inside the plan, that day and those before it are earned and the rest is deferred', () => {
  const earning = earningOf(november, [], '2026-11-15');
  expect([earnedOf(earning), earning.deferredPaise]).toEqual([50_000, 50_000]);
  expect(earningOf(november, [], '2026-10-31')).toEqual({ days: [], credits: new Map(), deferredPaise: 0 });
});

test('days before an invoice that was issued late are earned on its day, never in a day that is over', () => {
  const earning = earningOf({ ...november, issuedOn: '2026-11-10' }, [], '2026-11-11');
  expect(earning.days).toEqual([
    { on: '2026-11-10', paise: 33_333 },
    { on: '2026-11-11', paise: 3334 },
  ]);
});

test('a refund of the unused days takes back what is unearned, and the early end earns the paisa that is left', () => {
  const changes: EarningChange[] = [
    { kind: 'end', on: '2026-11-10' },
    { kind: 'credit', on: '2026-11-10', id: 'C/1', taxablePaise: 66_666 },
  ];
  const earning = earningOf(november, changes, never);
  expect(earning.credits.get('C/1')).toEqual({ deferredPaise: 66_666, revenuePaise: 0 });
  expect([earnedOf(earning), earning.days.at(-1)?.on]).toEqual([33_334, '2026-11-10']);
});

test('a plan that ends early without a refund is earned on that day: no service is owed for it any more', () => {
  const earning = earningOf(november, [{ kind: 'end', on: '2026-11-10' }], never);
  expect([earnedOf(earning), earning.days.at(-1)]).toEqual([100_000, { on: '2026-11-10', paise: 3333 + 66_667 }]);
});

test('a partial refund while the plan goes on lowers the days to come', () => {
  const earning = earningOf(november, [{ kind: 'credit', on: '2026-11-15', id: 'C/1', taxablePaise: 20_000 }], never);
  expect(earning.days.at(-1)).toEqual({ on: '2026-11-30', paise: 2000 });
  expect(earnedOf(earning)).toBe(80_000);
});

test('a refund of more than is unearned takes back revenue for the rest', () => {
  const earning = earningOf(november, [{ kind: 'credit', on: '2026-11-20', id: 'C/1', taxablePaise: 100_000 }], never);
  expect(earning.credits.get('C/1')).toEqual({ deferredPaise: 33_333, revenuePaise: 66_667 });
  expect(earnedOf(earning)).toBe(66_667);
});

test('for any invoice and changes, what is earned, taken back and deferred sums to the taxable value on every day', () => {
  const anyChange = fc.record({
    after: fc.integer({ min: 0, max: 500 }),
    part: fc.integer({ min: 0, max: 100 }),
    isEnd: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.record({
        late: fc.integer({ min: 0, max: 40 }),
        length: fc.integer({ min: 1, max: 366 }),
        taxablePaise: fc.integer({ min: 0, max: 1_000_000_000 }),
      }),
      fc.array(anyChange, { maxLength: 5 }),
      fc.integer({ min: 0, max: 600 }),
      ({ late, length, taxablePaise }, given, throughDays) => {
        const fromDate = '2026-11-01';
        const issuedOn = addDays(fromDate, late);
        const invoice = { issuedOn, fromDate, toDate: addDays(fromDate, length), taxablePaise };
        let left = taxablePaise;
        const changes = given.map(({ after, part, isEnd }, index): EarningChange => {
          const on = addDays(issuedOn, after);
          if (isEnd) return { kind: 'end', on };
          const credited = Math.floor((left * part) / 100);
          left -= credited;
          return { kind: 'credit', on, id: `C/${index}`, taxablePaise: credited };
        });
        const through = addDays(issuedOn, throughDays);
        const earning = earningOf(invoice, changes, through);
        const deferredCredits = [...earning.credits.values()].reduce((sum, each) => sum + each.deferredPaise, 0);
        expect(earnedOf(earning) + deferredCredits + earning.deferredPaise).toBe(taxablePaise);
        // Nothing is earned twice, before the invoice, after the day or with a negative part.
        for (const { on, paise } of earning.days) {
          expect(paise).toBeGreaterThan(0);
          expect(on >= issuedOn && on <= through).toBe(true);
        }
        const credited = [...earning.credits.values()].flatMap((each) => [each.deferredPaise, each.revenuePaise]);
        expect(Math.min(0, earning.deferredPaise, ...credited)).toBe(0);
        const isOver = through >= invoice.toDate || changes.some(({ kind, on }) => kind === 'end' && on <= through);
        expect(isOver && earning.deferredPaise !== 0).toBe(false);
        // A longer view never changes a day that was seen before: a closed month stays as it is.
        const later = earningOf(invoice, changes, addDays(through, 50));
        expect(later.days.slice(0, earning.days.length)).toEqual(earning.days);
      },
    ),
  );
});

test('without changes no two days differ by more than a paisa', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 366 }),
      fc.integer({ min: 0, max: 10_000_000_000 }),
      (length, taxablePaise) => {
        const invoice = { ...november, toDate: addDays(november.fromDate, length), taxablePaise };
        const parts = earningOf(invoice, [], never).days.map(({ paise }) => paise);
        const all = [...parts, ...Array.from({ length: length - parts.length }, () => 0)];
        expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
        expect(daysBetween(invoice.fromDate, invoice.toDate)).toBe(all.length);
      },
    ),
  );
});
