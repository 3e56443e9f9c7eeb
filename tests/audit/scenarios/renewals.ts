import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, refundOf, type Supply, voucher } from '#tests/audit/sums/papers.ts';
import { businessElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import {
  bankAnswers,
  bankPaysLate,
  buyRenewing,
  cancelNext,
  debitsWill,
  endInApp,
  payByHand,
  skip,
  untilDay,
} from '#tests/audit/steps/renewal-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { deleteAll, settled } from '#tests/audit/steps/steps.ts';

const group = 'Renewals by mandate';
const from = '2026-12-10';
const base = { group, from, buyer: businessElsewhere };
const { supply } = businessElsewhere;

/** The first day of the next period, and that on which the bank answers. */
const next = daysAfter(from, 30);
const answered = daysAfter(from, 27);
const first = invoice(from, 1499, supply);
/** The next period, paid in advance on a day, and begun. */
const renewedOn = (day: string) => {
  const advance = voucher(day, 1499, supply);
  return [advance, invoiceOf(advance, next)];
};
const once = { captured: 1499, papers: [first] };
const twice = { captured: 2998, cycles: ['EXPIRED', 'PAID'] };
const row = (...parts: string[]) => [next, '1499', ...parts].join(' ');

/** A plan that is bought on a day and renews once, on first ask. */
const overDays = (name: string, title: string, day: string): Scenario => {
  const advance = voucher(daysAfter(day, 27), 1499, supply);
  const begin = daysAfter(day, 30);
  return {
    ...base,
    name: `renewal-${name}`,
    title,
    from: day,
    steps: [buyRenewing('growth'), untilDay(26), bankAnswers, untilDay(30)],
    expected: {
      ...twice,
      papers: [invoice(day, 1499, supply), advance, invoiceOf(advance, begin)],
      renewals: [`${begin} 1499 1 PAID`],
    },
  };
};

/** A price without tax, whose rate rises on New Year. */
const risingTax = (before: number, after: number) =>
  [
    ['tax: inclusive', 'tax: exclusive'],
    [
      'gstRatePercent: 18',
      `gstRatePercent: [{ from: '2017-07-01', percent: ${before} }, { from: '2027-01-01', percent: ${after} }]`,
    ],
  ] as const;
const at = (ratePercent: number): Supply => ({ ...supply, ratePercent });

export const renewals: readonly Scenario[] = [
  overDays('first-ask', 'a renewal is paid on first ask: a receipt voucher, and its invoice on the first day', from),
  {
    ...base,
    name: 'renewal-consumer',
    title: 'the same of a consumer in the supplier’s State: CGST and SGST',
    buyer: consumerHere,
    steps: [buyRenewing('growth'), untilDay(26), bankAnswers, untilDay(30)],
    expected: {
      ...twice,
      papers: [invoice(from, 1499, consumerHere.supply)].concat(
        [voucher(answered, 1499, consumerHere.supply)].flatMap((paid) => [paid, invoiceOf(paid, next)]),
      ),
      renewals: [row('1', 'PAID')],
    },
  },
  {
    ...base,
    name: 'renewal-skipped',
    title: 'a debit that was announced is skipped: the plan ends',
    steps: [buyRenewing('growth'), untilDay(25), skip, untilDay(31)],
    expected: { ...once, cycles: ['EXPIRED'], renewals: [row('NOT ASKED')] },
  },
  {
    ...base,
    name: 'renewal-ended-in-app',
    title: 'the mandate is ended in the UPI app after the bank’s notice: the debit fails, and the plan ends',
    steps: [buyRenewing('growth'), untilDay(26), endInApp, untilDay(31)],
    expected: { ...once, cycles: ['EXPIRED', 'DUE'], renewals: [row('1', 'FAILED')] },
  },
  {
    ...base,
    name: 'renewal-silent-then-paid',
    title: 'the bank is silent until the plan has ended, and pays then: the next period begins with the debit',
    steps: [buyRenewing('growth'), debitsWill('pending'), untilDay(31), bankPaysLate],
    expected: {
      ...twice,
      papers: [first, invoice(daysAfter(from, 31), 1499, supply)],
      renewals: [`${daysAfter(from, 31)} 1499 1 PAID`],
    },
  },
  {
    ...base,
    name: 'renewal-paid-meanwhile',
    title: 'the bank is silent, the customer pays by hand, and the debit that comes then goes back',
    steps: [buyRenewing('growth'), debitsWill('pending'), untilDay(29), payByHand, settled, bankPaysLate, untilDay(30)],
    expected: {
      ...twice,
      captured: 4497,
      refunded: 1499,
      papers: [first, ...renewedOn(daysAfter(from, 29))],
      renewals: [row('1', 'FAILED', 'refunded', '1499')],
    },
  },
  {
    ...base,
    name: 'renewal-cancelled',
    title: 'the period that a debit has paid is cancelled before it begins: all of it goes back',
    steps: [buyRenewing('growth'), untilDay(26), bankAnswers, cancelNext],
    expected: {
      captured: 2998,
      refunded: 1499,
      papers: [first, ...[voucher(answered, 1499, supply)].flatMap((paid) => [paid, refundOf(paid, answered)])],
      cycles: ['PAID', 'REFUNDED'],
      renewals: [row('1', 'PAID', 'refunded', '1499')],
    },
  },
  {
    ...base,
    name: 'renewal-deleted-under-way',
    title: 'the activation is deleted while the bank is asked: the debit goes back',
    steps: [buyRenewing('growth'), debitsWill('pending'), untilDay(26), deleteAll, settled, bankPaysLate],
    expected: {
      ...once,
      captured: 2998,
      refunded: 1499,
      cycles: ['DEACTIVATED', 'REMOVED'],
      renewals: [row('1', 'FAILED', 'refunded', '1499')],
    },
  },
  {
    ...base,
    name: 'renewal-too-dear',
    title: 'the price rises above the ceiling: nothing is debited, and the plan ends',
    catalog: risingTax(5, 40),
    steps: [buyRenewing('growth'), untilDay(31)],
    expected: { captured: 1573.95, papers: [invoice(from, 1573.95, at(5))], cycles: ['EXPIRED'], renewals: [] },
  },
];
