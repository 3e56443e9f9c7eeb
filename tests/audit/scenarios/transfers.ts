import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, note } from '#tests/audit/sums/papers.ts';
import { businessElsewhere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { days, end, orderOnly, settled } from '#tests/audit/steps/steps.ts';
import { acceptDeduction, declareDeduction } from '#tests/audit/steps/tds-steps.ts';
import { answerHeld, deduct, giveBack, record, transfer } from '#tests/audit/steps/transfer-steps.ts';

const group = 'Bank transfers';
const from = '2026-12-10';
const base = { group, from, buyer: businessElsewhere };
const { supply } = businessElsewhere;
const lessTdsInvoice = invoice(from, 1499, supply);
const lessTds = { captured: 1372, withheld: 127, papers: [lessTdsInvoice], cycles: ['PAID'] };
const sold = { captured: 1499, papers: [invoice(from, 1499, supply)], cycles: ['PAID'] };

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
  {
    ...base,
    name: 'transfer-less-tds',
    title:
      'a bank transfer less the tax that was declared pays the plan, and the certificate is accepted without a refund',
    steps: [
      orderOnly('growth'),
      deduct(10),
      transfer(1372),
      settled,
      declareDeduction(127, '2026-27 Q3'),
      acceptDeduction(),
      settled,
    ],
    expected: lessTds,
  },
  {
    ...base,
    name: 'transfer-less-tds-ended',
    title:
      'a plan paid less tax ends on its first day: what came of its 29 unused days goes back, and the tax of the used one stays receivable',
    catalog: [['onDeactivate: lose', 'onDeactivate: refund-unused']],
    steps: [orderOnly('growth'), deduct(10), transfer(1372), settled, end(), settled],
    expected: {
      ...lessTds,
      refunded: 1326.26,
      reversed: 122.77,
      papers: [lessTdsInvoice, note(lessTdsInvoice, from, 1449.03)],
      cycles: ['DEACTIVATED'],
    },
  },
  {
    ...base,
    name: 'transfer-less-tds-refunded-in-parts',
    title:
      'an operator refunds half of what came, which is half of the price, and then the other half, which ends the plan',
    steps: [
      orderOnly('growth'),
      deduct(10),
      transfer(1372),
      settled,
      giveBack(686),
      settled,
      giveBack(686, 'The rest'),
      settled,
    ],
    expected: {
      ...lessTds,
      refunded: 1372,
      reversed: 127,
      papers: [lessTdsInvoice, note(lessTdsInvoice, from, 749.5), note(lessTdsInvoice, from, 749.5)],
      cycles: ['REFUNDED'],
    },
  },
  {
    ...base,
    name: 'transfer-held-settled',
    title: 'a bank transfer less tax that nobody declared is held for two days, and pays when the operator says so',
    steps: [orderOnly('growth'), transfer(1372), settled, days(2), answerHeld('settle'), settled],
    expected: { ...lessTds, papers: [invoice(daysAfter(from, 2), 1499, supply)] },
  },
  {
    ...base,
    name: 'transfer-held-refunded',
    title: 'a held bank transfer goes back, and the exact amount pays',
    steps: [orderOnly('growth'), transfer(1474), settled, answerHeld('refund'), settled, transfer(1499), settled],
    expected: { ...lessTds, captured: 1474 + 1499, refunded: 1474, withheld: 0 },
  },
  {
    ...base,
    name: 'transfer-own-account',
    title: 'a transfer to the own account is recorded once, and Razorpay settles nothing of it',
    steps: [
      orderOnly('growth'),
      record(1499, 'SBIN326015120001'),
      settled,
      record(1499, 'SBIN326015120001', { fails: 'is known already' }),
    ],
    expected: { ...sold, ownBank: 1499 },
  },
];
