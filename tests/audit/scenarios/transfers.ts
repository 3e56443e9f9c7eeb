import { invoice } from '#tests/audit/sums/papers.ts';
import { businessElsewhere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { orderOnly, settled } from '#tests/audit/steps/steps.ts';
import { transfer } from '#tests/audit/steps/transfer-steps.ts';

const group = 'Bank transfers';
const from = '2026-12-10';
const base = { group, from, buyer: businessElsewhere };
const sold = { captured: 1499, papers: [invoice(from, 1499, businessElsewhere.supply)], cycles: ['PAID'] };

export const transfers: readonly Scenario[] = [
  {
    ...base,
    name: 'transfer-exact',
    title: 'a bank transfer of exactly the amount pays the plan',
    steps: [orderOnly('growth'), transfer(1499), settled],
    expected: sold,
  },
  {
    ...base,
    name: 'transfer-wrong-then-exact',
    title: 'bank transfers of too little and too much go back in full, and the exact amount pays',
    steps: [orderOnly('growth'), transfer(1498), settled, transfer(1500.5), settled, transfer(1499), settled],
    expected: { ...sold, captured: 1499 + 1498 + 1500.5, refunded: 1498 + 1500.5 },
  },
  {
    ...base,
    name: 'transfer-twice',
    title: 'the amount is transferred twice: one pays, the other goes back',
    steps: [orderOnly('growth'), transfer(1499, 1499), settled],
    expected: { ...sold, captured: 2998, refunded: 1499 },
  },
];
