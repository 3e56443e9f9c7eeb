import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextStatuses, type StoredStatus } from './cycle.ts';
import {
  type EndCause,
  type EndingCycle,
  type EndingPack,
  endOf,
  keptOf,
  refundOfEnd,
  withheldOfEnd,
} from './cycle-end.ts';
import { addDays } from './day.ts';
import { leastRefundPaise, leftAtProvider, leftOf } from './refund-payout.ts';

const today = '2026-11-27';
const causes: EndCause[] = ['deactivated', 'replaced', 'refunded', 'ended_before'];

const paid: EndingCycle = {
  id: 'CYC-1',
  planName: 'Growth',
  status: 'PAID',
  fromDate: addDays(today, -9),
  toDate: addDays(today, 21),
  isPack: false,
  paidPaise: 300_000,
  givenBackPaise: 0,
  deductedPaise: 0,
  excessTaxPaise: 0,
  capturedOn: addDays(today, -9),
  isOwnTransfer: false,
  units: { sold: 1000, taken: 0 },
  maxDays: 30,
  isRefunding: true,
};
const upcoming = { fromDate: addDays(today, 1), toDate: addDays(today, 31) };
const over = { fromDate: addDays(today, -30), toDate: today };
const gone = { givenBackPaise: paid.paidPaise };

/** What the tables of `shared/domain/cycle-end.ts` say: the new status, the refund, why the rest is kept, and what customers hear. */
test.each<[string, Partial<EndingCycle>, EndCause, unknown]>([
  ['an unpaid one is removed', { status: 'PAYMENT_PENDING' }, 'deactivated', ['REMOVED', 0, [], undefined]],
  ['an upcoming one goes back whole', upcoming, 'deactivated', ['REFUNDED', 300_000, [], 'cycle.cancelled']],
  [
    'an upcoming one that was granted',
    { ...upcoming, status: 'NO_PAYMENT_REQUIRED', paidPaise: 0 },
    'deactivated',
    ['DEACTIVATED', 0, [], 'cycle.cancelled'],
  ],
  ['20 of 30 days are left', {}, 'replaced', ['DEACTIVATED', 200_000, ['USED'], 'cycle.ended']],
  [
    'of what is left of a price less tax, cash goes back as it came',
    { givenBackPaise: 25_400, deductedPaise: 25_400, unprovedPaise: 25_400 },
    'deactivated',
    ['DEACTIVATED', 200_000, ['USED'], 'cycle.ended'],
  ],
  [
    'fewer units than days are left',
    { units: { sold: 1000, taken: 900 } },
    'deactivated',
    ['DEACTIVATED', 30_000, ['USED'], 'cycle.ended'],
  ],
  [
    'the plan refunds nothing',
    { isRefunding: false },
    'deactivated',
    ['DEACTIVATED', 0, ['USED', 'LAPSED'], 'cycle.ended'],
  ],
  [
    'what is left is below a rupee',
    { units: { sold: 10_000, taken: 9997 } },
    'deactivated',
    ['DEACTIVATED', 0, ['USED', 'TOO_LITTLE'], 'cycle.ended'],
  ],
  ['all of a running one went back', gone, 'refunded', ['REFUNDED', 0, [], 'cycle.ended']],
  [
    'all that the provider had went back, and the rest was deducted at source',
    { ...gone, deductedPaise: 25_000 },
    'refunded',
    ['REFUNDED', 0, ['DEDUCTED'], 'cycle.ended'],
  ],
  ['all of an upcoming one went back', { ...gone, ...upcoming }, 'refunded', ['REFUNDED', 0, [], 'cycle.cancelled']],
  ['all of one that is over went back', { ...gone, ...over }, 'refunded', ['REFUNDED', 0, [], undefined]],
  ['a pack went back', { ...gone, isPack: true }, 'refunded', ['REFUNDED', 0, [], undefined]],
  ['one that is over stays so', over, 'deactivated', undefined],
  ['a pack ends with its cycle alone', { isPack: true }, 'deactivated', undefined],
  ['its end was lost with the database', {}, 'ended_before', ['DEACTIVATED', 0, ['USED'], 'cycle.ended']],
  ['its end was lost, and it is over', over, 'ended_before', undefined],
  ['an unpaid one has nothing to refund', { status: 'PAYMENT_PENDING' }, 'refunded', undefined],
])('how a cycle ends: %s', (_what, change, cause, expected) => {
  const end = endOf({ ...paid, ...change }, [], cause, today);
  const kept = end?.kept.map(({ why }) => why);
  expect(end && [end.status, end.refundPaise, kept, end.event?.type]).toEqual(expected);
});

test('with a cycle its packs end: an unpaid one is removed, an untouched one refunded where the plan refunds, others are kept', () => {
  const pack = (status: StoredStatus, isUntouched: boolean): EndingPack => ({
    cycle: { ...paid, id: 'CYC-2', isPack: true, status, paidPaise: 9900 },
    isUntouched,
  });
  const packs = [pack('PAYMENT_PENDING', false), pack('PAID', true), pack('PAID', false)];
  const endOfPacks = (cycle: EndingCycle, cause: EndCause) =>
    endOf(cycle, packs, cause, today)?.packs.map(({ status, refundPaise, kept }) => [status, refundPaise, kept]);
  const removed = ['REMOVED', 0, []];
  const used = ['DEACTIVATED', 0, [{ why: 'USED', paise: 9900 }]];
  for (const cause of ['deactivated', 'replaced'] as const)
    expect(endOfPacks(paid, cause)).toEqual([removed, ['REFUNDED', 9900, []], used]);
  expect(endOfPacks({ ...paid, ...gone }, 'refunded')).toEqual([removed, ['REFUNDED', 9900, []], used]);
  const lapsed = ['DEACTIVATED', 0, [{ why: 'LAPSED', paise: 9900 }]];
  expect(endOfPacks(paid, 'ended_before')).toEqual([removed, lapsed, used]);
  expect(endOfPacks({ ...paid, isRefunding: false }, 'deactivated')).toEqual([removed, lapsed, used]);
});

const statuses: StoredStatus[] = [
  'PAYMENT_PENDING',
  'PAID',
  'NO_PAYMENT_REQUIRED',
  'DEACTIVATED',
  'REMOVED',
  'REFUNDED',
];

const cycle = fc
  .record({
    // Most run, and are paid.
    status: fc.oneof({ weight: 3, arbitrary: fc.constant<StoredStatus>('PAID') }, fc.constantFrom(...statuses)),
    begins: fc.integer({ min: -40, max: 10 }),
    maxDays: fc.integer({ min: 1, max: 60 }),
    price: fc.integer({ min: 100, max: 10_000_000 }),
    backPercent: fc.nat(99),
    deductedPercent: fc.nat(10),
    isUnproved: fc.boolean(),
    sold: fc.nat(1000),
    taken: fc.nat(1100),
    isRefunding: fc.boolean(),
    isPack: fc.constantFrom(true, false, false, false),
  })
  .map(({ status, begins, maxDays, price, backPercent, deductedPercent, isUnproved, sold, taken, ...rule }) => {
    const paidPaise = status === 'NO_PAYMENT_REQUIRED' ? 0 : price;
    const deductedPaise = Math.floor((paidPaise * deductedPercent) / 100);
    const backPaise = Math.floor((paidPaise * backPercent) / 100);
    const givenBackPaise = backPaise + deductedPaise;
    const reversedPaise = isUnproved ? Math.ceil((backPaise * deductedPercent) / 100) : 0;
    const unprovedPaise = isUnproved ? Math.max(0, deductedPaise - reversedPaise) : 0;
    const fromDate = addDays(today, begins);
    const dates = { fromDate, toDate: addDays(fromDate, maxDays), maxDays };
    const money = { paidPaise, deductedPaise, givenBackPaise, reversedPaise, unprovedPaise };
    const ending: EndingCycle = {
      ...paid,
      ...dates,
      ...money,
      ...rule,
      status,
      units: { sold, taken },
      capturedOn: addDays(today, -60),
    };
    return ending;
  });

/** What of its price we have when it ends. */
const heldOf = (one: EndingCycle): number => (one.status === 'PAYMENT_PENDING' ? 0 : leftOf(one));

test('every rupee of a cycle that ended went back before, is refunded now, or is kept for a reason; and what ended stays ended', () => {
  fc.assert(
    fc.property(cycle, fc.array(fc.tuple(cycle, fc.boolean()), { maxLength: 3 }), (one, added) => {
      const packs = added.map(([pack, isUntouched]) => ({ cycle: { ...pack, isPack: true }, isUntouched }));
      const isGone = one.status === 'PAID' && leftAtProvider(one) === 0;
      for (const cause of isGone ? causes : causes.slice(0, 2)) {
        const end = endOf(one, packs, cause, today);
        if (!end) continue;
        expect(nextStatuses[one.status]).toContain(end.status);
        expect(end.refundPaise + keptOf(end)).toBe(heldOf(one));
        const ended = [one, ...packs.map((pack) => pack.cycle)];
        for (const [index, { kept, refundPaise, transferPaise, withheldPaise }] of [end, ...end.packs].entries()) {
          const of = ended[index] ?? one;
          expect(kept.every(({ paise }) => paise > 0)).toBe(true);
          expect([0, refundPaise - withheldPaise]).toContain(transferPaise);
          // What is kept is paid in cash as the whole was.
          const heldPaise = refundPaise + kept.reduce((sum, { paise }) => sum + paise, 0);
          const unproved = of.unprovedPaise ?? 0;
          expect(withheldPaise * heldPaise).toBeGreaterThanOrEqual(refundPaise * unproved);
          expect(withheldPaise).toBeLessThanOrEqual(unproved);
        }
        const cashPaise = end.refundPaise - end.withheldPaise;
        const isTooLittle = end.refundPaise > 0 && cashPaise < leastRefundPaise;
        expect(end.kind === 'deactivate' && isTooLittle).toBe(false);
        const settled = end.packs.map((pack) => pack.refundPaise + keptOf(pack));
        expect(settled).toEqual(packs.map((pack) => heldOf(pack.cycle)));
        const back = end.packs.reduce((sum, pack) => sum + pack.refundPaise, end.refundPaise);
        expect(refundOfEnd(end)).toBe(back - withheldOfEnd(end));
        for (const again of causes) expect(endOf({ ...one, status: end.status }, packs, again, today)).toBeUndefined();
      }
    }),
  );
});
