import { invoice, note } from '#tests/audit/sums/papers.ts';
import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { businessHere, consumerElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import { buyPackOf, orderPack } from '#tests/audit/steps/pack-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  buy,
  days,
  dispute,
  disputeIs,
  end,
  payAway,
  refundAtRazorpay,
  returnToPortal,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Packs';
const from = '2026-12-10';
const packs =
  '    packs: [{ id: extra, name: Extra 1000, units: 1000, price: 99 }, { id: odd, name: Extra 300, units: 300, price: 33.33 }]\n';
const base = {
  group,
  from,
  buyer: consumerHere,
  catalog: [['  - id: growth\n', `  - id: growth\n${packs}`]],
} as const;
const refunding = {
  ...base,
  catalog: [...base.catalog, ['onDeactivate: lose', 'onDeactivate: refund-unused']],
} as const;
const { supply } = consumerHere;
const plan = invoice(from, 1499, supply);

export const packsOfUnits: readonly Scenario[] = [
  {
    ...base,
    name: 'pack-bought',
    title: 'two packs for a running plan, each with an invoice of its own',
    steps: [buy('growth'), days(3), buyPackOf('extra'), days(1), buyPackOf('odd')],
    expected: {
      captured: 1631.33,
      papers: [plan, invoice(daysAfter(from, 3), 99, supply), invoice(daysAfter(from, 4), 33.33, supply)],
      cycles: ['PAID', 'PAID', 'PAID'],
    },
  },
  {
    ...base,
    name: 'pack-igst',
    title: 'a pack for a consumer of another State bears integrated tax',
    buyer: consumerElsewhere,
    steps: [buy('growth'), buyPackOf('odd')],
    expected: {
      captured: 1532.33,
      papers: [invoice(from, 1499, consumerElsewhere.supply), invoice(from, 33.33, consumerElsewhere.supply)],
      cycles: ['PAID', 'PAID'],
    },
  },
  {
    ...base,
    name: 'pack-refunded-at-razorpay',
    title: 'a pack is refunded in two parts on Razorpay’s dashboard; the plan goes on without it',
    buyer: businessHere,
    steps: [buy('growth'), buyPackOf('extra'), settled, refundAtRazorpay(50), settled, refundAtRazorpay()],
    expected: ((sold = invoice(from, 99, businessHere.supply)) => ({
      captured: 1598,
      refunded: 99,
      papers: [invoice(from, 1499, businessHere.supply), sold, note(sold, from, 50), note(sold, from, 49)],
      cycles: ['PAID', 'REFUNDED'],
    }))(),
  },
  {
    ...refunding,
    name: 'pack-ends-with-plan',
    title: 'an untouched pack comes back whole when its plan is deactivated, and unused days by the day',
    steps: [buy('growth'), days(9), buyPackOf('extra'), end(0)],
    expected: ((on = daysAfter(from, 9), sold = invoice(daysAfter(from, 9), 99, supply)) => ({
      captured: 1598,
      // 20 of 30 days.
      refunded: 1098.33,
      papers: [plan, sold, note(plan, on, 999.33), note(sold, on)],
      cycles: ['DEACTIVATED', 'REFUNDED'],
    }))(),
  },
  {
    ...base,
    name: 'pack-paid-late',
    title: 'a pack that is paid after its plan has ended is refunded and never invoiced',
    steps: [buy('growth'), orderPack('extra'), payAway(), end(0), returnToPortal()],
    expected: { captured: 1598, refunded: 99, papers: [plan], cycles: ['DEACTIVATED', 'REMOVED'] },
  },
  {
    ...base,
    name: 'pack-dispute-lost',
    title: 'a lost dispute takes a pack back, with a credit note',
    steps: [buy('growth'), buyPackOf('extra'), settled, dispute(), disputeIs('lost')],
    expected: ((sold = invoice(from, 99, supply)) => ({
      captured: 1598,
      refunded: 99,
      papers: [plan, sold, note(sold, from)],
      cycles: ['PAID', 'REFUNDED'],
    }))(),
  },
];
