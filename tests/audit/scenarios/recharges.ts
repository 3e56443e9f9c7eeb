import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice } from '#tests/audit/sums/papers.ts';
import { businessElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import { buyPackOf } from '#tests/audit/steps/pack-steps.ts';
import { agreeTo, daysOfUse, packIsAtBank, packIsTold, turnRechargeOff } from '#tests/audit/steps/recharge-steps.ts';
import { bankAnswers, bankPaysLate, buyRenewing, debitsWill } from '#tests/audit/steps/renewal-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { settled } from '#tests/audit/steps/steps.ts';

const group = 'Recharges by mandate';
const from = '2026-12-10';
const base = {
  group,
  from,
  buyer: consumerHere,
  catalog: [
    ['dailyQuota: 5000\n    monthlyQuota: 100000\n', 'dailyQuota: 100000\n    monthlyQuota: 100000\n'],
    ['  - id: growth\n', '  - id: growth\n    packs: [{ id: extra, name: Extra 30000, units: 30000, price: 99 }]\n'],
  ],
} as const;
const { supply } = consumerHere;
const plan = invoice(from, 1499, supply);

/** A tenth of the units on each of eight days: a pack is told on the seventh, and asked for on the eighth. */
const untilAsked = [
  buyRenewing('growth'),
  agreeTo('extra', 250),
  daysOfUse(7, 10_000),
  packIsTold,
  daysOfUse(1, 10_000),
  packIsAtBank,
];
const asked = daysAfter(from, 8);
const answered = daysAfter(from, 9);

export const recharges: readonly Scenario[] = [
  {
    ...base,
    name: 'recharge-paid',
    title: 'units are about to run out: a pack is debited by the mandate, with an invoice of its own',
    steps: [...untilAsked, bankAnswers],
    expected: {
      captured: 1598,
      papers: [plan, invoice(answered, 99, supply)],
      cycles: ['PAID', 'PAID'],
      renewals: [`${answered} 99 1 PAID`],
    },
  },
  {
    ...base,
    name: 'recharge-over-new-year',
    title: 'a pack is asked for in December and paid in January, by a business of another State: it is of January',
    from: '2026-12-23',
    buyer: businessElsewhere,
    steps: [...untilAsked, bankAnswers],
    expected: {
      captured: 1598,
      papers: [
        invoice('2026-12-23', 1499, businessElsewhere.supply),
        invoice('2027-01-01', 99, businessElsewhere.supply),
      ],
      cycles: ['PAID', 'PAID'],
      renewals: ['2027-01-01 99 1 PAID'],
    },
  },
  {
    ...base,
    name: 'recharge-failed',
    title: 'the bank refuses the pack: nothing is sold',
    steps: [debitsWill('insufficient_funds'), ...untilAsked, bankAnswers],
    expected: { captured: 1499, papers: [plan], cycles: ['PAID', 'DUE'], renewals: [`${asked} 99 1 FAILED`] },
  },
  {
    ...base,
    name: 'recharge-turned-off',
    title: 'recharges are turned off while the bank is asked: the debit goes back',
    steps: [...untilAsked, turnRechargeOff, bankAnswers],
    expected: {
      captured: 1598,
      refunded: 99,
      papers: [plan],
      cycles: ['PAID', 'DUE'],
      renewals: [`${asked} 99 1 FAILED refunded 99`],
    },
  },
  {
    ...base,
    name: 'recharge-bought-meanwhile',
    title: 'the bank is silent, the customer buys the pack by hand, and the debit that comes then goes back',
    steps: [debitsWill('pending'), ...untilAsked, buyPackOf('extra'), settled, bankPaysLate],
    expected: {
      captured: 1697,
      refunded: 99,
      papers: [plan, invoice(asked, 99, supply)],
      cycles: ['PAID', 'PAID', 'REMOVED'],
      renewals: [`${asked} 99 1 FAILED refunded 99`],
    },
  },
];
