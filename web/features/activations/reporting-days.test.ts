import { expect, test } from 'vitest';
import { reportDays } from '#web/features/activations/reporting-days.ts';

const tax = {
  activationId: 'ACT-A',
  service: 'Tax Lookup API',
  graph: [
    { x: '2026-11-18', y: 5 },
    { x: '2026-11-19', y: 0 },
    { x: '2026-11-20', y: 7 },
  ],
};
const invoicing = {
  activationId: 'ACT-B',
  service: 'Invoicing System',
  graph: [
    { x: '2026-11-19', y: 2 },
    { x: '2026-11-20', y: 3 },
  ],
};

test('the days are summed from where all activations have them', () => {
  expect(reportDays([tax, invoicing])).toEqual([
    { day: '2026-11-19', byActivation: { 'ACT-A': 0, 'ACT-B': 2 }, total: 2 },
    { day: '2026-11-20', byActivation: { 'ACT-A': 7, 'ACT-B': 3 }, total: 10 },
  ]);
});

test('one activation keeps all of its days; none has none', () => {
  expect(reportDays([tax]).map(({ total }) => total)).toEqual([5, 0, 7]);
  expect(reportDays([])).toEqual([]);
});
