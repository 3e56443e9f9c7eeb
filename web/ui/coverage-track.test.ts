import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { type CoverageSegment, coverageLayout } from '#web/ui/coverage-track-layout.ts';

function segment(id: string, fromDate: string, days: number, kind: CoverageSegment['kind'] = 'prepaid') {
  return { id, name: 'Growth', fromDate, toDate: addDays(fromDate, days), kind };
}

const three = [
  segment('c', '2027-01-02', 30, 'pending'),
  segment('a', '2026-11-03', 30, 'active'),
  segment('b', '2026-12-03', 30),
];

test('cycles stand one after the other from the first day of the month to the last day covered', () => {
  const layout = coverageLayout(three, '2026-11-21');
  expect(layout.segments.map(({ segment, left, width, lane }) => ({ id: segment.id, left, width, lane }))).toEqual([
    { id: 'a', left: 2.17, width: 32.61, lane: 0 },
    { id: 'b', left: 34.78, width: 32.61, lane: 0 },
    { id: 'c', left: 67.39, width: 32.61, lane: 0 },
  ]);
  expect(layout.today).toBe(21.74);
  expect(layout.lanes).toBe(1);
});

test('months are named where they begin, with the year at the first and at each January', () => {
  expect(coverageLayout(three, '2026-11-21').months).toEqual([
    { label: 'Nov 2026', left: 0 },
    { label: 'Dec', left: 32.61 },
    { label: 'Jan 2027', left: 66.3 },
  ]);
});

test('a long track names only as many months as fit', () => {
  const layout = coverageLayout([segment('a', '2026-11-03', 400)], '2026-11-03');
  expect(layout.months.map((month) => month.label)).toEqual(['Nov 2026', 'Feb 2027', 'May', 'Aug', 'Nov']);
});

test('cycles that share days get a lane each', () => {
  const layout = coverageLayout([segment('a', '2026-11-03', 30), segment('b', '2026-11-10', 30)], '2026-11-21');
  expect(layout.segments.map(({ lane }) => lane)).toEqual([0, 1]);
  expect(layout.lanes).toBe(2);
});

test('today is on the track even when every cycle is still to come', () => {
  expect(coverageLayout([segment('a', '2027-03-01', 30)], '2026-11-21').today).toBeGreaterThanOrEqual(0);
});

test('whatever the cycles, everything stays on the track and no lane holds two at once', () => {
  const day = fc.integer({ min: 0, max: 500 }).map((offset) => addDays('2026-11-01', offset));
  const segments = fc.array(
    fc.tuple(day, fc.integer({ min: 1, max: 120 })).map(([from, days]) => segment('x', from, days)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(segments, day, (some, today) => {
      const layout = coverageLayout(some, today);
      expect(layout.today).toBeGreaterThanOrEqual(0);
      expect(layout.today).toBeLessThan(100);
      for (const placed of layout.segments) {
        expect(placed.left).toBeGreaterThanOrEqual(0);
        expect(placed.width).toBeGreaterThan(0);
        expect(placed.left + placed.width).toBeLessThanOrEqual(100.01);
        const clash = layout.segments.filter(
          (other) =>
            other !== placed &&
            other.lane === placed.lane &&
            other.segment.fromDate < placed.segment.toDate &&
            placed.segment.fromDate < other.segment.toDate,
        );
        expect(clash).toEqual([]);
      }
    }),
  );
});
