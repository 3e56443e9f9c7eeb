import { invoice, invoiceOf, type Paper, refundOf, type Supply, voucher } from '#tests/audit/sums/papers.ts';
import {
  abroad,
  abroadUnderLut,
  businessElsewhere,
  consumerElsewhere,
  consumerHere,
  underLut,
} from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  become,
  buy,
  days,
  minutes,
  orderOnly,
  payAway,
  reopen,
  returnToPortal,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Changes between payment and invoice; the calendar';
const from = '2026-12-10';
const { supply } = consumerElsewhere;
const base = { group, from, buyer: consumerElsewhere };
const reduced: Supply = { ...supply, ratePercent: 5 };
const fromNewYear = [
  ['gstRatePercent: 18', `gstRatePercent: [{ from: '2017-07-01', percent: 18 }, { from: '2027-01-01', percent: 5 }]`],
] as const;
const advance = voucher(from, 1499, supply);
const sold = (papers: Paper[], ...cycles: string[]) => ({ captured: 1499 * cycles.length, papers, cycles });

export const changes: readonly Scenario[] = [
  {
    ...base,
    name: 'rate-change-before-start',
    title: 'an advance at 18 % is served and invoiced at 5 % (CGST Act s.14(b)(iii))',
    catalog: fromNewYear,
    steps: [buy('growth', { inDays: 30 }), days(30)],
    expected: sold([advance, invoiceOf(advance, '2027-01-09', 1499, reduced)], 'PAID'),
  },
  {
    ...base,
    name: 'rate-change-after-start',
    title: 'a plan that started before the change keeps 18 %, and the next costs 5 %',
    catalog: fromNewYear,
    steps: [buy('growth'), days(30), buy('growth')],
    expected: sold([invoice(from, 1499, supply), invoice('2027-01-09', 1499, reduced)], 'EXPIRED', 'PAID'),
  },
  {
    ...base,
    name: 'rate-change-exclusive-order',
    title: 'an unpaid order with the old tax is replaced after the change',
    catalog: [...fromNewYear, ['tax: inclusive', 'tax: exclusive']],
    steps: [orderOnly('growth'), days(30), reopen(), payAway(), returnToPortal()],
    expected: { captured: 1573.95, papers: [invoice('2027-01-09', 1573.95, reduced)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'profile-change-state',
    title: 'the buyer moves to the supplier’s State between advance and invoice',
    steps: [buy('growth', { inDays: 30 }), become(consumerHere), days(30)],
    expected: sold([advance, invoiceOf(advance, '2027-01-09', 1499, consumerHere.supply)], 'PAID'),
  },
  {
    ...base,
    name: 'profile-change-to-business',
    title: 'the buyer registers for GST between advance and invoice',
    steps: [buy('growth', { inDays: 30 }), become(businessElsewhere), days(30)],
    expected: sold([advance, invoiceOf(advance, '2027-01-09', 1499, businessElsewhere.supply)], 'PAID'),
  },
  {
    ...base,
    name: 'profile-change-abroad',
    title: 'the buyer moves abroad between advance and invoice',
    steps: [buy('growth', { inDays: 30 }), become(abroad), days(30)],
    expected: sold([advance, invoiceOf(advance, '2027-01-09', 1499, abroad.supply)], 'PAID'),
  },
  {
    ...base,
    name: 'profile-change-exclusive-order',
    title: 'an order is opened again after the buyer became zero-rated: it costs less',
    settings: underLut,
    catalog: [['tax: inclusive', 'tax: exclusive']],
    steps: [orderOnly('growth'), become(abroad), reopen(), payAway(), returnToPortal()],
    expected: {
      captured: 1499,
      papers: [invoice(from, 1499, abroadUnderLut.supply)],
      cycles: ['PAID'],
    },
  },
  {
    ...base,
    name: 'profile-change-exclusive-advance',
    title: 'the buyer becomes zero-rated after paying in advance: the tax goes back (CGST Act s.31(3)(e))',
    settings: underLut,
    catalog: [['tax: inclusive', 'tax: exclusive']],
    steps: [buy('growth', { inDays: 30 }), become(abroad), days(30)],
    expected: (() => {
      const paid = voucher(from, 1768.82, supply);
      return {
        captured: 1768.82,
        refunded: 269.82,
        papers: [
          paid,
          refundOf(paid, '2027-01-09', 269.82),
          invoiceOf(paid, '2027-01-09', 1499, abroadUnderLut.supply),
        ],
        cycles: ['PAID'],
      };
    })(),
  },
  {
    ...base,
    name: 'letter-ended',
    title: 'an export on the day after the letter of undertaking is taxed',
    from: '2027-04-01',
    buyer: abroad,
    settings: underLut,
    steps: [buy('growth')],
    expected: sold([invoice('2027-04-01', 1499, abroad.supply)], 'PAID'),
  },
  {
    ...base,
    name: 'letter-ends-before-start',
    title: 'an advance for an export that starts after the end of the letter is taxed from the beginning',
    from: '2027-03-25',
    buyer: abroad,
    settings: underLut,
    steps: [buy('growth', { inDays: 10 }), days(10)],
    expected: (() => {
      const paid = voucher('2027-03-25', 1499, abroad.supply);
      return sold([paid, invoiceOf(paid, '2027-04-04')], 'PAID');
    })(),
  },
  {
    ...base,
    name: 'calendar-financial-year',
    title: 'on 1 April every series begins again',
    from: '2027-03-31',
    steps: [buy('growth'), buy('growth', { inDays: 30 }), days(1), buy('starter', { inDays: 60 }), days(29)],
    expected: (() => {
      const [one, two] = [voucher('2027-03-31', 1499, supply), voucher('2027-04-01', 499, supply)];
      return {
        captured: 3497,
        papers: [invoice('2027-03-31', 1499, supply), one, two, invoiceOf(one, '2027-04-30')],
        numbers: ['OCT/26-27/000001', 'OCT/26-27/R0001', 'OCT/27-28/R0001', 'OCT/27-28/000001'],
        cycles: ['EXPIRED', 'PAID', 'PAID'],
      };
    })(),
  },
  {
    ...base,
    name: 'calendar-midnight',
    title: 'one sale ten minutes before midnight in India on the last day of the month, one ten minutes after',
    from: '2026-12-31',
    steps: [minutes(11 * 60 + 50), buy('growth'), settled, minutes(20), buy('starter', { inDays: 30 })],
    expected: (() => {
      const papers = [invoice('2026-12-31', 1499, supply), voucher('2027-01-01', 499, supply)];
      return { captured: 1998, papers, cycles: ['PAID', 'PAID'] };
    })(),
  },
  {
    ...base,
    name: 'calendar-first-of-month',
    title: 'paid on the last day of a month, started on the first of the next',
    from: '2026-12-31',
    steps: [buy('growth', { inDays: 1 }), days(1)],
    expected: (() => {
      const one = voucher('2026-12-31', 1499, supply);
      return sold([one, invoiceOf(one, '2027-01-01')], 'PAID');
    })(),
  },
  {
    ...base,
    name: 'calendar-leap-day',
    title: 'a month that covers 29 February 2028',
    from: '2028-02-20',
    steps: [buy('growth', { inDays: 9 }), days(9)],
    expected: (() => {
      const one = voucher('2028-02-20', 1499, supply);
      return sold([one, invoiceOf(one, '2028-02-29')], 'PAID');
    })(),
  },
];
