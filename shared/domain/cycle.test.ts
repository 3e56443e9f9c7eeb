import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  billingStatusOf,
  type CycleDates,
  cycleFrom,
  datesWhenPaid,
  datesWhenPaidTogether,
  daysLeft,
  firstFreeCycle,
  isPayable,
  nextStartDay,
  nextStatuses,
  overlaps,
  phaseOf,
  shownStatus,
  type StoredStatus,
  unusedOf,
} from '#shared/domain/cycle.ts';
import { addDays, daysBetween } from '#shared/domain/day.ts';

const november = { fromDate: '2026-11-21', toDate: '2026-12-21' };
const facts = (status: StoredStatus, more: object = {}) => ({
  ...november,
  status,
  createdOn: '2026-11-21',
  paymentUnderWay: false,
  ...more,
});

test('a cycle covers maxDays days, the last one the day before toDate', () => {
  expect(cycleFrom('2026-11-21', 30)).toEqual(november);
  expect(() => cycleFrom('2026-11-21', 0)).toThrow(RangeError);
});

test('an unpaid cycle can be paid, unless its payment is being confirmed', () => {
  const statuses = ['PAYMENT_PENDING', 'PENDING', 'DUE', 'PAID', 'NO_PAYMENT_REQUIRED', 'EXPIRED'] as const;
  expect(statuses.filter((status) => isPayable({ status, changed: null }))).toEqual(['PAYMENT_PENDING', 'DUE']);
});

test.each([
  ['2026-11-20', 'upcoming'],
  ['2026-11-21', 'running'],
  ['2026-12-20', 'running'],
  ['2026-12-21', 'over'],
])('on %s it is %s', (today, phase) => {
  expect(phaseOf(november, today)).toBe(phase);
});

test.each([
  [facts('PAYMENT_PENDING'), '2026-11-21', 'PAYMENT_PENDING', 'PENDING'],
  [facts('PAYMENT_PENDING'), '2026-11-22', 'DUE', 'DUE'],
  [facts('PAYMENT_PENDING', { createdOn: '2026-11-01' }), '2026-11-20', 'PAYMENT_PENDING', 'PENDING'],
  [facts('PAYMENT_PENDING', { createdOn: '2026-11-01' }), '2026-11-21', 'DUE', 'DUE'],
  [facts('PAYMENT_PENDING', { paymentUnderWay: true }), '2026-11-25', 'PENDING', 'PENDING'],
  [facts('PAID'), '2026-11-21', 'PAID', 'PAID'],
  [facts('PAID'), '2026-12-21', 'EXPIRED', 'DUE'],
  [facts('NO_PAYMENT_REQUIRED'), '2026-12-20', 'NO_PAYMENT_REQUIRED', 'FREE'],
  [facts('DEACTIVATED'), '2026-12-21', 'DEACTIVATED', 'DUE'],
  [facts('REFUNDED'), '2026-11-25', 'REFUNDED', 'DUE'],
  [facts('REMOVED'), '2026-11-25', 'REMOVED', 'DUE'],
] as const)('%j on %s is shown as %s and counts as %s', (cycle, today, status, billing) => {
  expect(shownStatus(cycle, today)).toBe(status);
  expect(billingStatusOf(cycle, today)).toBe(billing);
});

test('a plan whose bill is owed counts as PENDING until it is overdue, and as DUE from then on', () => {
  const running = facts('PAID');
  for (const [bill, billing] of [
    ['DUE', 'PENDING'],
    ['OVERDUE', 'DUE'],
    ['STOPPED', 'DUE'],
    ['WRITTEN_OFF', 'DUE'],
  ] as const)
    expect(billingStatusOf(running, '2026-11-25', bill)).toBe(billing);
});

test('no sequence of transitions ever returns to an earlier state', () => {
  const reachable = (status: StoredStatus): StoredStatus[] =>
    nextStatuses[status].flatMap((next) => [next, ...reachable(next)]);
  for (const status of [
    'PAYMENT_PENDING',
    'PAID',
    'NO_PAYMENT_REQUIRED',
    'DEACTIVATED',
    'REMOVED',
    'REFUNDED',
  ] as const) {
    expect(reachable(status)).not.toContain(status);
  }
});

const aCycle = fc
  .record({ start: fc.nat(400), days: fc.integer({ min: 1, max: 120 }) })
  .map(({ start, days }) => cycleFrom(addDays('2026-01-01', start), days));
/** Cycles that give access never overlap, so neither do these. */
const taken = fc.array(aCycle, { maxLength: 8 }).map((cycles) => {
  const kept: CycleDates[] = [];
  for (const cycle of cycles) if (!kept.some((other) => overlaps(other, cycle))) kept.push(cycle);
  return kept;
});

test('the first free slot overlaps nothing, has the full length, and no earlier day would work', () => {
  fc.assert(
    fc.property(taken, fc.nat(500), fc.integer({ min: 1, max: 60 }), (cycles, offset, days) => {
      const earliest = addDays('2026-01-01', offset);
      const free = firstFreeCycle(earliest, days, cycles);
      expect(daysBetween(free.fromDate, free.toDate)).toBe(days);
      expect(cycles.some((cycle) => overlaps(cycle, free))).toBe(false);
      for (let day = earliest; day < free.fromDate; day = addDays(day, 1)) {
        expect(cycles.some((cycle) => overlaps(cycle, cycleFrom(day, days)))).toBe(true);
      }
    }),
  );
});

test('a cycle paid in time keeps its days; one paid late starts today or after the running one, in full length', () => {
  expect(datesWhenPaid(november, '2026-11-01', [])).toEqual(november);
  expect(datesWhenPaid(november, '2026-12-05', [])).toEqual(cycleFrom('2026-12-05', 30));
  expect(datesWhenPaid(november, '2026-11-21', [cycleFrom('2026-11-10', 30)])).toEqual(cycleFrom('2026-12-10', 30));
});

test('cycles that are paid together move one behind the other, and a switch starts today', () => {
  const left = { ...november, replaces: null };
  const taken = [cycleFrom('2026-11-10', 30)];
  expect(datesWhenPaidTogether([left, { ...left, replaces: 'CYC-1' }, left], '2026-11-21', taken)).toEqual([
    cycleFrom('2026-12-10', 30),
    cycleFrom('2026-11-21', 30),
    cycleFrom('2027-01-09', 30),
  ]);
});

test('the next cycle starts when the last one ends, or today', () => {
  expect(nextStartDay([november, cycleFrom('2026-12-21', 30)], '2026-11-22')).toBe('2027-01-20');
  expect(nextStartDay([], '2026-11-22')).toBe('2026-11-22');
  expect(nextStartDay([november], '2027-03-01')).toBe('2027-03-01');
});

const untouched = { sold: 1000, taken: 0 };

test('deactivating today loses the days after today and their share of the price', () => {
  expect(unusedOf(november, untouched, 150_000, '2026-11-21')).toEqual({ days: 29, paise: 145_000 });
  expect(unusedOf(november, untouched, 150_000, '2026-12-20')).toEqual({ days: 0, paise: 0 });
  expect(unusedOf(november, untouched, 150_000, '2027-01-01')).toEqual({ days: 0, paise: 0 });
});

test('what is left of a plan is worth the smaller share of its days and its units', () => {
  const worth = (taken: number) => unusedOf(november, { sold: 1000, taken }, 150_000, '2026-11-21').paise;
  expect([0, 33, 34, 500, 1000, 1300].map(worth)).toEqual([145_000, 145_000, 144_900, 75_000, 0, 0]);
  expect(unusedOf(november, { sold: 0, taken: 0 }, 150_000, '2026-11-21').paise).toBe(145_000);
});

test('the days left are those after today, as a refund counts them', () => {
  expect(daysLeft(november, '2026-11-21')).toBe(29);
  expect(daysLeft(november, '2026-12-20')).toBe(0);
  expect(daysLeft(november, '2026-11-01')).toBe(30);
  const offsets = fc.integer({ min: -5, max: 40 });
  fc.assert(
    fc.property(offsets, fc.integer({ min: 0, max: 10_000_000 }), (offset, paise) => {
      const today = addDays(november.fromDate, offset);
      expect(unusedOf(november, untouched, paise, today).days).toBe(daysLeft(november, today));
    }),
  );
});
