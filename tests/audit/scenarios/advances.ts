import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, note, refundOf, voucher } from '#tests/audit/sums/papers.ts';
import { businessElsewhere, consumerElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { buy, days, deleteAll, end, orderOnly } from '#tests/audit/steps/steps.ts';

const group = 'Paid in advance, cancelled, ended';
const from = '2026-12-10';
const { supply } = consumerElsewhere;
const today = invoice(from, 1499, supply);
const advance = voucher(from, 1499, supply);
const refunding = [['onDeactivate: lose', 'onDeactivate: refund-unused']] as const;
const base = { group, from, buyer: consumerElsewhere };

export const advances: readonly Scenario[] = [
  {
    ...base,
    name: 'advance-open',
    title: 'the next month is paid in advance and has not started',
    steps: [buy('growth'), buy('growth', { inDays: 30 })],
    expected: { captured: 2998, papers: [today, advance], cycles: ['PAID', 'PAID'] },
  },
  {
    ...base,
    name: 'advance-starts-next-month',
    title: 'an advance is invoiced on the day it starts, in the next month',
    steps: [buy('growth'), buy('growth', { inDays: 30 }), days(30)],
    expected: {
      captured: 2998,
      papers: [today, advance, invoiceOf(advance, daysAfter(from, 30))],
      cycles: ['EXPIRED', 'PAID'],
    },
  },
  {
    ...base,
    name: 'advance-starts-same-month',
    title: 'an advance that starts in its own month appears in no table of advances',
    steps: [buy('growth', { inDays: 10 }), days(10)],
    expected: { captured: 1499, papers: [advance, invoiceOf(advance, daysAfter(from, 10))], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'advance-business',
    title: 'a registered business pays in advance, and is invoiced in the next month',
    buyer: businessElsewhere,
    steps: [buy('growth', { inDays: 30 }), days(30)],
    expected: (() => {
      const paid = voucher(from, 1499, businessElsewhere.supply);
      return { captured: 1499, papers: [paid, invoiceOf(paid, daysAfter(from, 30))], cycles: ['PAID'] };
    })(),
  },
  {
    ...base,
    name: 'advance-three-months',
    title: 'three months one after the other, of which the third is still to come',
    steps: [buy('starter'), buy('starter', { inDays: 30 }), buy('starter', { inDays: 60 }), days(40)],
    expected: (() => {
      const [second, third] = [voucher(from, 499, supply), voucher(from, 499, supply)];
      const papers = [invoice(from, 499, supply), second, third, invoiceOf(second, daysAfter(from, 30))];
      return { captured: 1497, papers, cycles: ['EXPIRED', 'PAID', 'PAID'] };
    })(),
  },
  {
    ...base,
    name: 'cancel-before-start',
    title: 'an advance is cancelled on the day it was paid',
    steps: [buy('growth', { inDays: 10 }), end()],
    expected: { captured: 1499, refunded: 1499, papers: [advance, refundOf(advance, from)], cycles: ['REFUNDED'] },
  },
  {
    ...base,
    name: 'cancel-in-next-month',
    title: 'an advance of December is cancelled in January, and leaves table 11B',
    steps: [buy('growth', { inDays: 40 }), days(25), end()],
    expected: {
      captured: 1499,
      refunded: 1499,
      papers: [advance, refundOf(advance, daysAfter(from, 25))],
      cycles: ['REFUNDED'],
    },
  },
  {
    ...base,
    name: 'deactivate-loses',
    title: 'a running plan is deactivated; its unused days are lost',
    steps: [buy('growth'), days(9), end()],
    expected: { captured: 1499, papers: [today], cycles: ['DEACTIVATED'] },
  },
  {
    ...base,
    name: 'deactivate-refunds-unused',
    title: 'a running plan is deactivated on its tenth day; twenty of thirty days are refunded',
    catalog: refunding,
    steps: [buy('growth'), days(9), end()],
    expected: {
      captured: 1499,
      refunded: 999.33,
      papers: [today, note(today, daysAfter(from, 9), 999.33)],
      cycles: ['DEACTIVATED'],
    },
  },
  {
    ...base,
    name: 'deactivate-refunds-halves',
    title: 'the same in the supplier’s State, where the refund is split into two halves',
    buyer: consumerHere,
    catalog: refunding,
    steps: [buy('growth'), days(22), end()],
    expected: (() => {
      const sold = invoice(from, 1499, consumerHere.supply);
      // 7 of 30 days: 349.7666… is rounded up.
      const papers = [sold, note(sold, daysAfter(from, 22), 349.77)];
      return { captured: 1499, refunded: 349.77, papers, cycles: ['DEACTIVATED'] };
    })(),
  },
  {
    ...base,
    name: 'deactivate-on-last-day',
    title: 'on its last day nothing is left to refund',
    catalog: refunding,
    steps: [buy('growth'), days(29), end()],
    expected: { captured: 1499, papers: [today], cycles: ['DEACTIVATED'] },
  },
  {
    ...base,
    name: 'remove-unpaid',
    title: 'an unpaid subscription is removed',
    steps: [orderOnly('growth'), end()],
    expected: { captured: 0, papers: [], cycles: ['REMOVED'] },
  },
  {
    ...base,
    name: 'delete-activation',
    title: 'deleting an activation ends the running month and refunds the next',
    steps: [buy('growth'), buy('growth', { inDays: 30 }), deleteAll],
    expected: {
      captured: 2998,
      refunded: 1499,
      papers: [today, advance, refundOf(advance, from)],
      cycles: ['DEACTIVATED', 'REFUNDED'],
    },
  },
];
