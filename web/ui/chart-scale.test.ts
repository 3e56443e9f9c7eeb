import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisDays, chartBars, chartFacts, chartScale, signedScale, withDaysToCome } from '#web/ui/chart-scale.ts';

test('the chart reaches to the daily limit in steps of 20 %', () => {
  expect(chartScale(5000, [4136, 12])).toEqual({ max: 5000, ticks: [0, 1000, 2000, 3000, 4000, 5000] });
  expect(chartScale(100, [])).toEqual({ max: 100, ticks: [0, 20, 40, 60, 80, 100] });
});

test('without a limit it reaches just above the highest day', () => {
  expect(chartScale(0, [0, 0])).toEqual({ max: 3, ticks: [0, 1, 2, 3] });
  expect(chartScale(0, [7]).max).toBe(8);
  expect(chartScale(0, [23])).toEqual({ max: 25, ticks: [0, 5, 10, 15, 20, 25] });
  expect(chartScale(0, [5112])).toEqual({ max: 6000, ticks: [0, 1000, 2000, 3000, 4000, 5000, 6000] });
  expect(chartScale(0, [64_080]).max).toBe(80_000);
});

test('without a limit the highest bar fills at least three quarters of the chart', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 50_000_000 }), (highest) => {
      const { max, ticks } = chartScale(0, [highest]);
      expect(max).toBeGreaterThanOrEqual(highest);
      expect(highest / max).toBeGreaterThanOrEqual(0.75);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.length).toBeGreaterThanOrEqual(4);
    }),
  );
});

test('a day of an earlier, larger plan is not cut off', () => {
  expect(chartScale(100, [480]).max).toBe(500);
});

test('today has its own series', () => {
  const graph = [
    { x: '2026-11-20', y: 4903 },
    { x: '2026-11-21', y: 4136 },
  ];
  expect(chartBars(graph, '2026-11-21')).toEqual([
    { day: '2026-11-20', requests: 4903, today: 0 },
    { day: '2026-11-21', requests: 0, today: 4136 },
  ]);
});

test('average, highest day and total count days without calls too', () => {
  const graph = [
    { x: '2026-11-19', y: 0 },
    { x: '2026-11-20', y: 10 },
    { x: '2026-11-21', y: 5 },
  ];
  expect(chartFacts(graph)).toEqual({ average: 5, highest: { x: '2026-11-20', y: 10 }, total: 15 });
  expect(chartFacts([])).toEqual({ average: 0, highest: undefined, total: 0 });
});

test('today is always named, and no more days than fit', () => {
  const days = ['17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`);
  expect(axisDays(days, '2026-11-21', 31)).toEqual(days);
  expect(axisDays(days, '2026-11-21', 3)).toEqual(['2026-11-17', '2026-11-19', '2026-11-21']);
  expect(axisDays(days, '2026-11-18', 3)).toEqual(['2026-11-18', '2026-11-20']);
});

test('the first days of a cycle are followed by days to come', () => {
  const first = { x: '2026-11-30', y: 25 };
  expect(withDaysToCome([first], 3)).toEqual([first, { x: '2026-12-01', y: 0 }, { x: '2026-12-02', y: 0 }]);
  expect(withDaysToCome([first, { x: '2026-12-01', y: 1 }], 2)).toHaveLength(2);
  expect(withDaysToCome([], 3)).toEqual([]);
});

test('a scale reaches below zero as far as its values do, in the same steps', () => {
  expect(signedScale([])).toEqual({ min: 0, max: 1, ticks: [0, 1] });
  expect(signedScale([400, -120, 900])).toEqual({ min: -200, max: 1000, ticks: [-200, 0, 200, 400, 600, 800, 1000] });
  expect(signedScale([-5]).min).toBe(-5);
});
