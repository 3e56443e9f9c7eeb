import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, note } from '#tests/audit/sums/papers.ts';
import { makeCalls } from '#tests/audit/steps/call-steps.ts';
import { consumerHere } from '#tests/audit/steps/buyers.ts';
import { buyPackOf } from '#tests/audit/steps/pack-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { buy, days, end } from '#tests/audit/steps/steps.ts';

const from = '2026-12-10';
const { supply } = consumerHere;
/** A call of one operation costs ten units; the plan has 30 and its pack 20. Both give back what was not used. */
const base = {
  group: 'Units',
  from,
  buyer: consumerHere,
  catalog: [
    [
      '\nplans:\n',
      '\nmetered: [{ id: compute, name: Compute an invoice, method: POST, path: /v1/invoices/compute, units: 10 }]\nplans:\n',
    ],
    ['dailyQuota: 5000\n    monthlyQuota: 100000\n', 'dailyQuota: 30\n    monthlyQuota: 30\n'],
    ['  - id: growth\n', '  - id: growth\n    packs: [{ id: small, name: Extra 20, units: 20, price: 99 }]\n'],
    ['onDeactivate: lose', 'onDeactivate: refund-unused'],
  ],
} as const;
const on = daysAfter(from, 9);
const plan = invoice(from, 1499, supply);
const pack = invoice(on, 99, supply);

export const callsInUnits: readonly Scenario[] = [
  {
    ...base,
    name: 'units-within-plan',
    title: 'calls of ten units use up the plan and nothing of its pack, which comes back whole',
    steps: [buy('growth'), days(9), buyPackOf('small'), makeCalls(3, { units: 10, quota: 50 }), end(0)],
    expected: {
      captured: 1598,
      // The pack: no unit of the plan is left, whatever days are.
      refunded: 99,
      papers: [plan, pack, note(pack, on)],
      cycles: ['DEACTIVATED', 'REFUNDED'],
    },
  },
  {
    ...base,
    name: 'units-of-pack',
    title: 'one call more takes ten units of the pack, which is kept; the call after the last unit is refused',
    steps: [buy('growth'), days(9), buyPackOf('small'), makeCalls(5, { units: 10, quota: 50 }), end(0)],
    expected: {
      captured: 1598,
      refunded: 0,
      papers: [plan, pack],
      cycles: ['DEACTIVATED', 'DEACTIVATED'],
    },
  },
];
