import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, note, voucher } from '#tests/audit/sums/papers.ts';
import { businessElsewhere, businessHere, consumerHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  buy,
  buyPeriods,
  days,
  dispute,
  disputeIs,
  end,
  pollLists,
  razorpayIs,
  refundAtRazorpay,
  refused,
  settled,
} from '#tests/audit/steps/steps.ts';
import { acceptDeduction, declareDeduction, refuseDeduction } from '#tests/audit/steps/tds-steps.ts';

const group = 'Tax deducted at source';
const from = '2026-12-10';
/** Of the payment. 10 % of ₹1,270.34, the value of ₹1,499 without GST, is ₹127.03; in whole rupees at most ₹128. */
const quarter = '2026-27 Q3';
const deducted = 127.03;
const { supply } = businessElsewhere;
const base = { group, from, buyer: businessElsewhere };
const sold = invoice(from, 1499, supply);
const declared = [buy('growth'), settled, declareDeduction(deducted, quarter)];
const accepted = { captured: 1499, refunded: deducted, tds: deducted, papers: [sold], cycles: ['PAID'] };
/** What Razorpay has left after the claim. */
const left = 1371.97;
/** 29 of 30 days. */
const unused = 1449.03;
const returned = { captured: 1499, refunded: 1499, tds: deducted, papers: [sold, note(sold, from, left)] };

export const tds: readonly Scenario[] = [
  {
    ...base,
    name: 'tds-waiting',
    title: 'a business declares tax deducted at source; nothing moves before the decision',
    steps: declared,
    expected: { captured: 1499, papers: [sold], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'tds-accepted',
    title: 'the claim is accepted: a refund without a credit note, and an amount receivable',
    steps: [...declared, acceptDeduction(), settled],
    expected: accepted,
  },
  {
    ...base,
    name: 'tds-two-halves',
    title: 'the same in the supplier’s State, with 2 % in whole rupees',
    buyer: businessHere,
    steps: [buy('growth'), settled, declareDeduction(26, quarter), acceptDeduction()],
    expected: { ...accepted, refunded: 26, tds: 26, papers: [invoice(from, 1499, businessHere.supply)] },
  },
  {
    ...base,
    name: 'tds-refused',
    title: 'the claim is refused, declared again, and accepted; it is decided once',
    steps: [
      ...declared,
      refuseDeduction(),
      declareDeduction(deducted, quarter),
      refused('tds_not_declarable', declareDeduction(deducted, quarter)),
      acceptDeduction(),
      acceptDeduction({ fails: 'accepted already' }),
    ],
    expected: accepted,
  },
  {
    ...base,
    name: 'tds-limits',
    title: 'more than 10 %, another quarter, an advance and a consumer are refused',
    steps: [
      buy('growth'),
      refused('tds_too_much', declareDeduction(128.01, quarter)),
      refused('tds_wrong_quarter', declareDeduction(deducted, '2026-27 Q2')),
      refused('tds_wrong_quarter', declareDeduction(deducted, '2026-27 Q4')),
      buy('growth', { inDays: 40 }),
      refused('tds_not_declarable', declareDeduction(deducted, quarter)),
    ],
    expected: { captured: 2998, papers: [sold, voucher(from, 1499, supply)], cycles: ['PAID', 'PAID'] },
  },
  {
    ...base,
    name: 'tds-consumer',
    title: 'a consumer deducts no tax',
    buyer: consumerHere,
    steps: [buy('growth'), refused('tds_not_declarable', declareDeduction(deducted, quarter))],
    expected: { captured: 1499, papers: [invoice(from, 1499, consumerHere.supply)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'tds-of-advance',
    title: 'tax deducted from an advance is declared in the next quarter, when the plan has started',
    steps: [buy('growth', { inDays: 25 }), days(26), declareDeduction(deducted, quarter), acceptDeduction(), settled],
    expected: (() => {
      const advance = voucher(from, 1499, supply);
      return { ...accepted, papers: [advance, invoiceOf(advance, daysAfter(from, 25))] };
    })(),
  },
  {
    ...base,
    name: 'tds-of-periods',
    title: 'one payment for three periods: only the one that has started can have a claim',
    steps: [
      buyPeriods('growth', 3),
      settled,
      refused('tds_not_declarable', declareDeduction(deducted, quarter)),
      declareDeduction(deducted, quarter, 0),
      acceptDeduction({ which: 0 }),
    ],
    expected: {
      ...accepted,
      captured: 4497,
      papers: [sold, voucher(from, 1499, supply), voucher(from, 1499, supply)],
      cycles: ['PAID', 'PAID', 'PAID'],
    },
  },
  {
    ...base,
    name: 'tds-webhooks-lost',
    title: 'every webhook is lost: the portal finds its own refund in Razorpay’s list, and knows it',
    steps: [...declared, razorpayIs({ webhooks: { enabled: false } }), acceptDeduction(), settled, pollLists],
    expected: accepted,
  },
  {
    ...base,
    name: 'tds-then-refund-at-razorpay',
    title: 'afterwards all that is left is refunded on the dashboard, which ends the plan',
    steps: [...declared, acceptDeduction(), settled, refundAtRazorpay()],
    expected: { ...returned, cycles: ['REFUNDED'] },
  },
  {
    ...base,
    name: 'tds-then-end',
    title: 'afterwards the plan ends: its 29 unused days are refunded in full, by transfer, as Razorpay has less left',
    catalog: [['onDeactivate: lose', 'onDeactivate: refund-unused']],
    steps: [...declared, acceptDeduction(), settled, end()],
    expected: {
      ...accepted,
      owed: unused,
      toTransfer: unused,
      papers: [sold, note(sold, from, unused)],
      cycles: ['DEACTIVATED'],
    },
  },
  {
    ...base,
    name: 'tds-after-refund',
    title: 'almost everything was refunded before: the operator cannot accept, and refuses',
    steps: [
      ...declared,
      refundAtRazorpay(1400),
      settled,
      acceptDeduction({ fails: 'Only ₹99 of this payment is left' }),
      refuseDeduction(),
    ],
    expected: { captured: 1499, refunded: 1400, papers: [sold, note(sold, from, 1400)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'tds-after-whole-refund',
    title:
      'the whole price was refunded before: the claim is declared and accepted, and transferred, as Razorpay has nothing left',
    steps: [
      buy('growth'),
      settled,
      refundAtRazorpay(),
      settled,
      declareDeduction(deducted, quarter),
      acceptDeduction(),
      settled,
    ],
    expected: {
      captured: 1499,
      refunded: 1499,
      owed: deducted,
      toTransfer: deducted,
      tds: deducted,
      papers: [sold, note(sold, from)],
      cycles: ['REFUNDED'],
    },
  },
  {
    ...base,
    name: 'tds-then-dispute',
    title: 'afterwards a bank takes back what is left: a credit note over that, and the plan ends',
    steps: [...declared, acceptDeduction(), settled, dispute(left), settled, disputeIs('lost')],
    expected: { ...returned, cycles: ['REFUNDED'] },
  },
  {
    ...base,
    name: 'tds-then-lost-dispute',
    title: 'afterwards a bank takes back the whole price: a credit note over that, and no loss',
    steps: [...declared, acceptDeduction(), settled, dispute(), settled, disputeIs('lost')],
    expected: {
      captured: 1499,
      refunded: 1499 + deducted,
      tds: deducted,
      papers: [sold, note(sold, from)],
      cycles: ['REFUNDED'],
    },
  },
];
