import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, note, refundOf, rest, voucher } from '#tests/audit/sums/papers.ts';
import { businessElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  buy,
  days,
  dispute,
  disputeIs,
  pollLists,
  razorpayIs,
  refundAtRazorpay,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Disputes with the bank';
const from = '2026-12-10';
const { supply } = consumerHere;
const base = { group, from, buyer: consumerHere };
const invoiced = invoice(from, 1499, supply);
const sold = { captured: 1499, papers: [invoiced], cycles: ['PAID'] };
const lost = { captured: 1499, refunded: 1499, papers: [invoiced, note(invoiced, from)], cycles: ['REFUNDED'] };
const advance = voucher(from, 1499, supply);
const partOfInvoice = note(invoiced, from, 499);

export const disputes: readonly Scenario[] = [
  {
    ...base,
    name: 'dispute-open',
    title: 'a bank disputes a payment; nothing is decided, and Razorpay takes the money only if it is lost',
    steps: [buy('growth'), settled, dispute()],
    expected: sold,
  },
  {
    ...base,
    name: 'dispute-open-held',
    title: 'a bank disputes a payment, and Razorpay holds the money meanwhile',
    steps: [razorpayIs({ disputes: 'hold' }), buy('growth'), settled, dispute()],
    expected: { ...sold, disputed: 1499 },
  },
  {
    ...base,
    name: 'dispute-won',
    title: 'the provider wins: everything stays',
    steps: [buy('growth'), settled, dispute(), settled, disputeIs('under_review'), settled, disputeIs('won')],
    expected: sold,
  },
  {
    ...base,
    name: 'dispute-closed',
    title: 'the bank withdraws',
    steps: [buy('growth'), settled, dispute(), settled, disputeIs('closed')],
    expected: sold,
  },
  {
    ...base,
    name: 'dispute-lost',
    title: 'the customer wins: a credit note, and the plan ends',
    steps: [buy('growth'), settled, dispute(), settled, disputeIs('lost')],
    expected: lost,
  },
  {
    ...base,
    name: 'dispute-lost-found-in-list',
    title: 'every webhook is lost: the portal finds the lost dispute in Razorpay’s list',
    steps: [
      buy('growth'),
      settled,
      razorpayIs({ webhooks: { enabled: false } }),
      dispute(),
      disputeIs('lost'),
      pollLists,
    ],
    expected: lost,
  },
  {
    ...base,
    name: 'dispute-lost-in-part',
    title: 'a dispute over ₹500.50 is lost; the plan goes on',
    steps: [buy('growth'), settled, dispute(500.5), settled, disputeIs('lost')],
    expected: { captured: 1499, refunded: 500.5, papers: [invoiced, note(invoiced, from, 500.5)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'dispute-lost-next-month',
    title: 'a business’s dispute is lost in the next month, after the plan is over',
    buyer: businessElsewhere,
    steps: [razorpayIs({ disputes: 'hold' }), buy('growth'), settled, dispute(), days(35), disputeIs('lost')],
    expected: (() => {
      const one = invoice(from, 1499, businessElsewhere.supply);
      return { ...lost, papers: [one, note(one, daysAfter(from, 35))], unsettled: 1 };
    })(),
  },
  {
    ...base,
    name: 'dispute-lost-of-advance',
    title: 'a dispute over an advance is lost before it starts: a refund voucher',
    steps: [buy('growth', { inDays: 10 }), settled, dispute(), settled, disputeIs('lost')],
    expected: { ...lost, papers: [advance, refundOf(advance, from)] },
  },
  {
    ...base,
    name: 'dispute-after-refund',
    title: 'a part was refunded on the dashboard, and a dispute over the rest is lost',
    steps: [buy('growth'), settled, refundAtRazorpay(499), settled, dispute(1000), settled, disputeIs('lost')],
    expected: { ...lost, papers: [invoiced, partOfInvoice, rest(note(invoiced, from, 1000), [partOfInvoice])] },
  },
];
