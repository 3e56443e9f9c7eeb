import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, note, refundOf, voucher } from '#tests/audit/sums/papers.ts';
import { businessHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  buyPeriods,
  days,
  deleteAll,
  dispute,
  disputeIs,
  end,
  refundAtRazorpay,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Several periods in one payment';
const from = '2026-12-10';
const { supply } = businessHere;
const base = { group, from, buyer: businessHere };
const first = invoice(from, 1499, supply);
const second = voucher(from, 1499, supply);
const third = voucher(from, 1499, supply);
const paid = { captured: 4497, papers: [first, second, third], cycles: ['PAID', 'PAID', 'PAID'] };

export const periods: readonly Scenario[] = [
  {
    ...base,
    name: 'periods-three',
    title: 'three months in one payment: an invoice and two receipt vouchers',
    steps: [buyPeriods('growth', 3)],
    expected: paid,
  },
  {
    ...base,
    name: 'periods-three-later',
    title: 'the second of three months has started',
    steps: [buyPeriods('growth', 3), days(30)],
    expected: {
      ...paid,
      papers: [...paid.papers, invoiceOf(second, daysAfter(from, 30))],
      cycles: ['EXPIRED', 'PAID', 'PAID'],
    },
  },
  {
    ...base,
    name: 'periods-last-cancelled',
    title: 'the last of three months is cancelled before it starts, by itself',
    steps: [buyPeriods('growth', 3), settled, end()],
    expected: {
      ...paid,
      refunded: 1499,
      papers: [...paid.papers, refundOf(third, from)],
      cycles: ['PAID', 'PAID', 'REFUNDED'],
    },
  },
  {
    ...base,
    name: 'periods-refund-at-razorpay',
    title: 'a refund on the dashboard is taken from the last month backwards',
    steps: [buyPeriods('growth', 3), settled, refundAtRazorpay(2000)],
    expected: {
      ...paid,
      refunded: 2000,
      papers: [...paid.papers, refundOf(third, from), refundOf(second, from, 501)],
      cycles: ['PAID', 'PAID', 'REFUNDED'],
    },
  },
  {
    ...base,
    name: 'periods-dispute-lost',
    title: 'a dispute over all three months is lost',
    steps: [buyPeriods('growth', 3), settled, dispute(), settled, disputeIs('lost')],
    expected: {
      captured: 4497,
      refunded: 4497,
      papers: [...paid.papers, refundOf(third, from), refundOf(second, from), note(first, from)],
      cycles: ['REFUNDED', 'REFUNDED', 'REFUNDED'],
    },
  },
  {
    ...base,
    name: 'periods-deleted',
    title: 'the activation is deleted: the running month ends, the others are refunded',
    steps: [buyPeriods('growth', 3), settled, deleteAll],
    expected: {
      ...paid,
      refunded: 2998,
      papers: [...paid.papers, refundOf(second, from), refundOf(third, from)],
      cycles: ['DEACTIVATED', 'REFUNDED', 'REFUNDED'],
    },
  },
];
